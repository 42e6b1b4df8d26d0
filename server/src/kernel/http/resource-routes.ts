import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Caller, Context } from '../context.ts'
import { type ErrorCode, invalid } from '../errors.ts'
import { createBody, ReadOnly, readShape, updateBody } from '../schema.ts'
import { formatEtag } from '../store/collection.ts'
import { type ListQuery, listParameters, type Page, type RawListQuery, toListQuery } from '../store/list.ts'
import type { App, Reply, Request } from './app.ts'
import { ById, created, Done, done, Listed, listed, Ok, ok } from './envelope.ts'
import type { Permission } from './permissions.ts'

export interface Row {
  id: string
  revision: number
}

/** The service behind the routes: a collection, or functions that wrap one. */
interface ResourceService<R extends Row> {
  kind: string
  list(ctx: Context, who: Caller, query: ListQuery): Promise<Page<R>>
  get(ctx: Context, who: Caller, id: string): Promise<R>
  create?(ctx: Context, who: Caller, body: object): Promise<R>
  update?(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<R>
  /** Returns a result if the resource was not simply deleted. */
  remove?(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> | Promise<string>
}

export interface ResourceRoutes<R extends Row> {
  path: string
  /** The name of its schema, such as `Agent`. */
  title: string
  tag: string
  shape: TObject
  service: ResourceService<R>
  read: Permission
  write: Permission
  /** The shape and the read function of a single GET, if it returns more than the list. */
  oneShape?: TObject
  one?(who: Caller, id: string): Promise<R>
  /** The shape of a row in the list, if it returns less than a single GET. */
  listShape?: TObject
  /** The shape of the response to a create, if it returns more than a read. */
  createdShape?: TObject
  /** Extra filters of its list. */
  filters?: Record<string, TSchema>
  /** Fields computed on read, which cannot be sorted or filtered by. */
  computed?: readonly string[]
  /** Presents a row, if that depends on the caller or the request. */
  present?(row: R, who: Caller, request: Request): object
  /** Fields hidden from a caller, who then cannot sort or filter by them. */
  hidden?(who: Caller): readonly string[]
  example: object
  /** The example body of an update. */
  change?: object
  createErrors?: readonly ErrorCode[]
  updateErrors?: readonly ErrorCode[]
  bodyLimit?: number
}

export const ifMatch = (request: Request): string | undefined => request.headers['if-match']

export const withETag = <R extends Row>(reply: Reply, row: R): R => {
  reply.header('etag', formatEtag(row))
  return row
}

/** The schema selects the sent fields at run time; the static type is just an object. */
export const asObject = (shape: TObject, example: object = {}) =>
  Type.Unsafe<object>({ ...readShape(shape), examples: [example] })

/** Extra fields returned by GET are ignored on write, so that a client can send back what it read. */
function withIgnoredFields(shape: TObject, oneShape: TObject = shape): TObject {
  const extra = Object.entries(oneShape.properties).filter(([name]) => !(name in shape.properties))
  return Type.Object({
    ...shape.properties,
    ...Object.fromEntries(extra.map(([name, each]) => [name, ReadOnly(each)])),
  })
}

function rejectHidden({ where, ranges = [], sort }: ListQuery, hidden: readonly string[]): void {
  for (const name of hidden) {
    if (ranges.some(({ field }) => field === name)) invalid(name, 'is not a known parameter')
    if (name in where) invalid(name, 'is not a known parameter')
    if (name === sort) invalid('sort', `cannot be ${name}`)
  }
}

const plural = (noun: string): string => `${noun.replace(/(?<=[^aeiou])y$/, 'ie')}s`

export const article = (noun: string): string => (/^(?!us)[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`)

/** The routes of a resource: list, get, create, update (PUT and PATCH are the same) and delete. */
export function resourceRoutes<R extends Row>(app: App, ctx: Context, resource: ResourceRoutes<R>): void {
  const { path, title, tag, shape, service, computed = [], bodyLimit } = resource
  const { kind } = service
  const tags = [tag]
  const present = resource.present ?? ((row: R) => row)
  const write = { config: { may: resource.write }, ...(bodyLimit !== undefined && { bodyLimit }) }
  const listFields = resource.listShape && Object.keys(resource.listShape.properties)
  const One = Ok(asObject(shape, resource.example))
  const read = { config: { may: resource.read } }

  app.get(
    path,
    {
      ...read,
      schema: {
        tags,
        summary: `List ${plural(kind)}`,
        querystring: listParameters(shape, computed, resource.filters),
        response: { 200: Listed(asObject(resource.listShape ?? shape, resource.example)) },
      },
    },
    async (request) => {
      const query = toListQuery(request.query as RawListQuery, listFields)
      rejectHidden(query, resource.hidden?.(request.caller) ?? [])
      const { rows, ...page } = await service.list(ctx, request.caller, query)
      return listed({ ...page, rows: rows.map((row) => present(row, request.caller, request)) }, query)
    },
  )

  app.get(
    `${path}/:id`,
    {
      ...read,
      schema: {
        tags,
        summary: `Get ${article(kind)}`,
        params: ById,
        response: { 200: Ok(asObject(resource.oneShape ?? shape, resource.example)) },
      },
    },
    async (request, reply) => {
      const row = await (resource.one?.(request.caller, request.params.id) ??
        service.get(ctx, request.caller, request.params.id))
      return ok(present(withETag(reply, row), request.caller, request))
    },
  )

  const { create, update, remove } = service
  if (create) {
    const body = { ...createBody(shape, title), examples: [resource.example] }
    app.post(
      path,
      {
        ...write,
        schema: {
          tags,
          summary: `Create ${article(kind)}`,
          body,
          response: { 201: Ok(asObject(resource.createdShape ?? shape, resource.example)) },
          etag: true,
          errors: resource.createErrors ?? [],
        },
      },
      async (request, reply) => {
        const row = await create(ctx, request.caller, request.body as object)
        return created(reply, present(withETag(reply, row), request.caller, request))
      },
    )
  }

  if (update) {
    const body = {
      ...updateBody(withIgnoredFields(shape, resource.oneShape), title),
      examples: [resource.change ?? { name: 'A better name' }],
    }
    const errors = [...(resource.createErrors ?? []), ...(resource.updateErrors ?? []), 'precondition_failed' as const]
    for (const method of ['PUT', 'PATCH'] as const) {
      app.route({
        method,
        url: `${path}/:id`,
        ...write,
        schema: {
          tags,
          summary: method === 'PUT' ? `Update ${article(kind)}` : `Update ${article(kind)} (the same as PUT)`,
          params: ById,
          body,
          response: { 200: One },
          etag: true,
          errors,
        },
        handler: async (request, reply) => {
          const { id } = request.params as Static<typeof ById>
          const row = await update(ctx, request.caller, id, request.body as object, ifMatch(request))
          return ok(present(withETag(reply, row), request.caller, request))
        },
      })
    }
  }

  if (remove) {
    app.delete(
      `${path}/:id`,
      {
        ...write,
        schema: {
          tags,
          summary: `Delete ${article(kind)}`,
          params: ById,
          response: { 200: Done },
          errors: ['in_use', 'precondition_failed'],
        },
      },
      async (request) => {
        const outcome = await remove(ctx, request.caller, request.params.id, ifMatch(request))
        return done(outcome || `The ${kind} was deleted.`)
      },
    )
  }
}
