import { Type } from 'typebox'
import type { Caller, Context } from '../context.ts'
import { Nullable } from '../schema.ts'
import { type Page, PageQuery } from '../store/list.ts'
import type { Version } from '../store/versions.ts'
import type { App } from './app.ts'
import { ById, Listed, listed, Ok, ok } from './envelope.ts'
import { article, asObject, ifMatch, type ResourceRoutes, type Row, withETag } from './resource-routes.ts'

interface VersionedService<R extends Row> {
  kind: string
  versions(ctx: Context, who: Caller, id: string, paging: { page: number; limit: number }): Promise<Page<Version>>
  version(ctx: Context, who: Caller, id: string, version: number): Promise<Version>
  restore(ctx: Context, who: Caller, id: string, version: number, ifMatch?: string): Promise<R>
}

const VersionShape = Type.Object(
  {
    version: Type.Integer({ examples: [3] }),
    created_at: Type.String({ format: 'date-time' }),
    created_by: Type.String({ description: 'The token that created it.' }),
    author_id: Nullable(Type.String({ description: 'The user of that token, if it has one.' })),
    author_name: Nullable(
      Type.String({
        description: 'The name of the token or person when the version was created. Null if it is not known.',
      }),
    ),
    snapshot: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The fields in this version.',
    }),
  },
  {
    title: 'Version',
    examples: [
      {
        version: 3,
        created_by: 'tok_01k9z8q4m6e3v7t2w5x8y1a4bc',
        author_name: 'Ada',
        snapshot: { name: 'Support', description: null },
      },
    ],
  },
)
const ByVersion = Type.Object({ id: Type.String(), version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) })

/** The versions of a resource, newest first, and restoring one. */
export function versionRoutes<R extends Row>(
  app: App,
  ctx: Context,
  resource: Pick<ResourceRoutes<R>, 'path' | 'tag' | 'shape' | 'write' | 'present'> & { service: VersionedService<R> },
): void {
  const { path, tag, shape, service, present = (row: R) => row } = resource
  const tags = [tag]
  const { kind } = service

  app.get(
    `${path}/:id/versions`,
    {
      config: { may: 'read-configuration' },
      schema: {
        tags,
        summary: `List the versions of ${article(kind)}`,
        params: ById,
        querystring: PageQuery,
        response: { 200: Listed(VersionShape) },
      },
    },
    async (request) =>
      listed(await service.versions(ctx, request.caller, request.params.id, request.query), request.query),
  )

  app.get(
    `${path}/:id/versions/:version`,
    {
      config: { may: 'read-configuration' },
      schema: {
        tags,
        summary: `Get a version of ${article(kind)}`,
        params: ByVersion,
        response: { 200: Ok(VersionShape) },
      },
    },
    async (request) => ok(await service.version(ctx, request.caller, request.params.id, request.params.version)),
  )

  app.post(
    `${path}/:id/versions/:version/restore`,
    {
      config: { may: resource.write },
      schema: {
        tags,
        summary: `Restore a version of ${article(kind)}`,
        description: 'Creates a new version with the fields of the old one.',
        params: ByVersion,
        response: { 200: Ok(asObject(shape)) },
        etag: true,
        errors: ['unknown_reference', 'in_use', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { id, version } = request.params
      const row = await service.restore(ctx, request.caller, id, version, ifMatch(request))
      return ok(present(withETag(reply, row), request.caller, request))
    },
  )
}
