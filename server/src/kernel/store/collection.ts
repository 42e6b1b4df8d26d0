import { isDeepStrictEqual } from 'node:util'
import type { Static, TObject } from 'typebox'
import { type Access, isBound, maySee, normalized } from '../access.ts'
import type { Caller, Context } from '../context.ts'
import { notFound, Problem } from '../errors.ts'
import type { IdPrefix } from '../ids.ts'
import { listProperties } from '../schema.ts'
import { timestamp } from '../time.ts'
import { type Db, inTransaction } from './database.ts'
import { visibleTo } from './guard.ts'
import type { ListQuery, Page } from './list.ts'
import { dropReferences, type Reference, requireTargets, requireUnreferenced, saveReferences } from './references.ts'
import { type Narrow, resourceTable, type Stored, type TableOptions } from './table.ts'
import { dropVersions, getVersion, listVersions, saveVersion, type Version } from './versions.ts'

type Cells = Record<string, unknown>

/** Options of one kind of resource. */
export interface CollectionOptions<Shape extends TObject, Hidden extends Cells> extends TableOptions {
  shape: Shape
  prefix: IdPrefix
  /** The noun in messages to users. */
  kind: string
  /** Keeps every version, so that earlier ones can be read and restored. */
  versioned?: boolean
  /** Checks the next state of a row and sets derived fields. `input` is the body of the request. */
  complete?(change: Change<Stored<Static<Shape> & Hidden>>): Promise<void> | void
  references?(row: Stored<Static<Shape> & Hidden>, ctx: Context): Reference[]
  /** Deletes the data that belongs to a row. */
  removed?(change: { ctx: Context; tx: Db; who: Caller; row: Stored<Static<Shape> & Hidden> }): Promise<void> | void
  /** Its rows have `access`. A row that the caller may not see does not exist for the caller. */
  guarded?: boolean
  /** The ids of rows that depend on something hidden from the caller. They are hidden too. */
  hides?(ctx: Context, who: Caller): Promise<readonly string[]>
  /** The rows that the caller sees, if not all. */
  narrow?(who: Caller): Narrow | undefined
}

export interface Change<Row> {
  ctx: Context
  tx: Db
  who: Caller
  next: Row
  input: Partial<Row> & Cells
  previous: Row | undefined
}

export const formatEtag = (row: { revision: number }): string => `"${row.revision}"`

export function requireMatch(kind: string, row: { revision: number }, ifMatch: string | undefined): void {
  if (ifMatch === undefined || matches(ifMatch, formatEtag(row))) return
  throw new Problem('precondition_failed', `This ${kind} has changed. Read it again and repeat your change.`)
}

/** Reads and writes of a resource. Each write is one transaction with its references, version, audit entry and `If-Match`. */
export function collection<Shape extends TObject, Hidden extends Cells = Cells>(
  options: CollectionOptions<Shape, Hidden>,
) {
  type Row = Stored<Static<Shape> & Hidden>
  const { kind, prefix, versioned = false, guarded = false } = options
  const table = resourceTable<Shape, Hidden>(options)
  const writable = listProperties(options.shape).flatMap(([name, field]) =>
    field.readOnly || field.writeOnly || name === 'access' ? [] : [name],
  )
  const hasUpdatedAt = 'updated_at' in options.shape.properties

  const find = (db: Db, who: Pick<Caller, 'workspace'>, id: string) => table.find(db, who.workspace, id)

  const sees = (who: Caller, row: Row): boolean => !guarded || maySee(who, (row as Cells).access as Access | null)

  const get = async (ctx: Context, who: Caller, id: string): Promise<Row> => {
    const row = await find(ctx.db, who, id)
    const isHidden = (await hidden(ctx, who)).includes(id)
    return row && !isHidden && sees(who, row) ? row : notFound(kind, id)
  }

  const hidden = async (ctx: Context, who: Caller): Promise<readonly string[]> =>
    (isBound(who) && (await options.hides?.(ctx, who))) || []

  /** The rows that the caller sees, if not all. */
  const seen = async (ctx: Context, who: Caller): Promise<Narrow | undefined> => {
    if (guarded) return visibleTo(ctx.db, options.name, who)
    const ids = await hidden(ctx, who)
    return ids.length > 0 ? (query) => query.where('id', 'not in', ids) : options.narrow?.(who)
  }

  const normalizeAccess = (row: Cells): void => {
    if (guarded) row.access = normalized((row.access ?? null) as Access | null)
  }

  const lock = async (tx: Db, who: Caller, id: string, ifMatch: string | undefined): Promise<Row> => {
    const row = (await table.lock(tx, who.workspace, id)) ?? notFound(kind, id)
    requireMatch(kind, row, ifMatch)
    return row
  }

  const saveLinks = async (ctx: Context, tx: Db, who: Caller, row: Row): Promise<void> => {
    if (options.references) {
      await saveReferences(ctx.resources, tx, who.workspace, { kind, id: row.id }, options.references(row, ctx))
    }
    if (versioned) {
      const snapshot = Object.fromEntries(writable.map((name) => [name, (row as Cells)[name]]))
      const author = { created_by: who.token, author_id: who.userId, author_name: who.name ?? null }
      const made = { version: row.revision, created_at: timestamp(ctx.now()), ...author, snapshot }
      await saveVersion(tx, who.workspace, row.id, made)
    }
  }

  const newRow = async (ctx: Context, tx: Db, who: Caller, input: object, id = ctx.newId(prefix)): Promise<Row> => {
    const now = timestamp(ctx.now())
    const next = { ...input, id, revision: 1, created_at: now } as unknown as Row & Cells
    if (hasUpdatedAt) (next as Cells).updated_at = now
    if (versioned) (next as Cells).version = 1
    normalizeAccess(next)
    await options.complete?.({ ctx, tx, who, next, input: input as Partial<Row> & Cells, previous: undefined })
    return next
  }

  const fields = listProperties(options.shape).filter(([, field]) => !field.readOnly)
  const created = (id: string, input: Cells) => {
    const isSet = (name: string, defaultValue: unknown) =>
      (input[name] ?? null) !== null && !isDeepStrictEqual(input[name], defaultValue)
    const set = fields.filter(([name, field]) => isSet(name, field.default)).map(([name]) => name)
    return { action: 'create', kind, id, fields: set }
  }

  /** A write-only field counts as changed if a hidden column changed. */
  const changedFields = (previous: Cells, next: Cells, input: Cells): string[] => {
    const differs = (name: string) => !isDeepStrictEqual(previous[name], next[name])
    const hidden = Object.keys(next).filter((name) => !(name in options.shape.properties) && name !== 'revision')
    return fields
      .filter(([name, field]) => (field.writeOnly ? name in input && hidden.some(differs) : differs(name)))
      .map(([name]) => name)
  }

  const create = (ctx: Context, who: Caller, input: object, db: Db = ctx.db): Promise<Row> =>
    inTransaction(db, async (tx) => {
      const next = await newRow(ctx, tx, who, input)
      await table.insert(tx, who.workspace, next)
      await saveLinks(ctx, tx, who, next)
      await ctx.audit.record(tx, who, created(next.id, input as Cells))
      return next
    })

  /**
   * Creates in a grouped commit, which does not block the event loop. Only for resources without references and versions,
   * which are their own record. `id`: an ID that was promised before.
   */
  const createGrouped = async (ctx: Context, who: Caller, input: object, id?: string): Promise<Row> => {
    const next = await newRow(ctx, ctx.db, who, input, id)
    await ctx.commits.commit([table.insertStatement(ctx.db, who.workspace, next)])
    return next
  }

  const update = (
    ctx: Context,
    who: Caller,
    id: string,
    input: object,
    ifMatch?: string,
    db: Db = ctx.db,
    action: 'update' | 'restore' = 'update',
  ): Promise<Row> =>
    inTransaction(db, async (tx) => {
      const previous = await lock(tx, who, id, ifMatch)
      const next = { ...previous, ...input } as Row & Cells
      normalizeAccess(next)
      await options.complete?.({ ctx, tx, who, next, input: input as Partial<Row> & Cells, previous })
      if (isDeepStrictEqual(next, previous)) return previous
      next.revision = previous.revision + 1
      if (hasUpdatedAt) (next as Cells).updated_at = timestamp(ctx.now())
      if (versioned) (next as Cells).version = next.revision
      await table.update(tx, who.workspace, id, next)
      await saveLinks(ctx, tx, who, next)
      await ctx.audit.record(tx, who, { action, kind, id, fields: changedFields(previous, next, input as Cells) })
      return next
    })

  const remove = (ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> =>
    inTransaction(ctx.db, async (tx) => {
      const row = await lock(tx, who, id, ifMatch)
      await options.removed?.({ ctx, tx, who, row })
      await table.remove(tx, who.workspace, id)
      await requireUnreferenced(tx, who.workspace, kind, id)
      await dropReferences(tx, who.workspace, id)
      if (versioned) await dropVersions(tx, who.workspace, id)
      await ctx.audit.record(tx, who, { action: 'delete', kind, id })
    })

  const list = async (ctx: Context, who: Caller, query: ListQuery): Promise<Page<Row>> =>
    table.list(ctx.db, who.workspace, query, await seen(ctx, who))

  return {
    kind,
    prefix,
    table,
    find,
    get,
    list,
    create,
    createGrouped,
    update,
    remove,
    sees,
    /** The ids of the rows that the caller may not see. */
    async unseen(ctx: Context, who: Caller): Promise<string[]> {
      const narrow = isBound(who) ? await seen(ctx, who) : undefined
      return narrow ? table.idsOutside(ctx.db, who.workspace, narrow) : []
    },
    /** The first rows of a list, not counted. */
    first: async (ctx: Context, who: Caller, query: Omit<ListQuery, 'page'>): Promise<Row[]> =>
      table.first(ctx.db, who.workspace, query, await seen(ctx, who)),
    /** Counted in a thread: there can be a million rows. */
    count: async (ctx: Context, who: Caller): Promise<number> =>
      table.count(ctx.longReads, who.workspace, isBound(who) ? await seen(ctx, who) : undefined),

    async versions(
      ctx: Context,
      who: Caller,
      id: string,
      paging: { page: number; limit: number },
    ): Promise<Page<Version>> {
      await get(ctx, who, id)
      return listVersions(ctx.db, who.workspace, id, paging)
    },

    async version(ctx: Context, who: Caller, id: string, number: number): Promise<Version> {
      await get(ctx, who, id)
      return getVersion(ctx.db, who.workspace, id, number)
    },

    async restore(ctx: Context, who: Caller, id: string, number: number, ifMatch?: string): Promise<Row> {
      await get(ctx, who, id)
      const { snapshot } = await getVersion(ctx.db, who.workspace, id, number)
      return update(ctx, who, id, snapshot, ifMatch, undefined, 'restore')
    },

    /** The row as an update of it, or of an earlier version, would make it. It is checked, but not stored. */
    async draft(ctx: Context, who: Caller, id: string, input: object, version?: number): Promise<Row> {
      const previous = await get(ctx, who, id)
      const base = version === undefined ? {} : (await getVersion(ctx.db, who.workspace, id, version)).snapshot
      const changes = { ...base, ...input } as Partial<Row> & Cells
      const next = { ...previous, ...changes } as Row
      await options.complete?.({ ctx, tx: ctx.db, who, next, input: changes, previous })
      await requireTargets(ctx.resources, ctx.db, who.workspace, options.references?.(next, ctx) ?? [])
      return next
    },
  }
}

/** Compares revisions: an ETag that a client has read also contains a hash of the response. */
function matches(ifMatch: string, etag: string): boolean {
  return ifMatch.split(',').some((each) => {
    const [, revision] = /^(?:W\/)?"(\d+)(?:-\w+)?"$/.exec(each.trim()) ?? []
    return each.trim() === '*' || `"${revision}"` === etag
  })
}
