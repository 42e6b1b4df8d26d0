import { type Access, isBound, maySee, type Viewer } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { Narrow } from '../../../kernel/store/table.ts'
import { openKey } from './rules.ts'

type Who = Viewer & { workspace: string }

/** The part of some sources that a caller may see. */
interface Visibility {
  /** The sources that the caller may see. */
  sources: string[]
  /** The keys of access that the caller meets, of the documents in these sources. */
  keys: string[]
  /** All sources, and those of which the caller may not see every document. */
  all: string[]
  partial: ReadonlySet<string>
  /** How many documents of the sources there are, and how many the caller sees. */
  total: number
  seen: number
}

/** All of these sources, and those that the caller may see. */
async function sourcesSeen(ctx: Context, who: Who, sourceIds?: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('knowledge_source')
    .select(['id', 'access'])
    .where('workspace_id', '=', who.workspace)
    .$if(sourceIds !== undefined, (query) => query.where('id', 'in', sourceIds?.length ? sourceIds : ['']))
    .execute()
  const seen = rows.filter(({ access }) => maySee(who, JSON.parse(access) as Access | null))
  return { all: rows.map(({ id }) => id), sources: seen.map(({ id }) => id) }
}

/** Counts documents by access key from an index. There are few distinct keys. */
async function readVisibility(ctx: Context, who: Who, sourceIds?: readonly string[]): Promise<Visibility> {
  const { all, sources } = await sourcesSeen(ctx, who, sourceIds)
  const classes = await ctx.db
    .selectFrom('knowledge_document')
    .select(['knowledge_source_id', 'access_key'])
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', who.workspace)
    .where('knowledge_source_id', 'in', all.concat(''))
    .groupBy(['knowledge_source_id', 'access_key'])
    .execute()
  const allowed = await keysSeen(ctx, who, new Set(classes.map(({ access_key }) => access_key)))
  const isSeen = ({ knowledge_source_id, access_key }: (typeof classes)[number]) =>
    sources.includes(knowledge_source_id) && allowed.has(access_key)
  const sum = (some: typeof classes) => some.reduce((total, { count }) => total + Number(count), 0)
  const seen = classes.filter(isSeen)
  const partial = new Set(classes.filter((each) => !seen.includes(each)).map((each) => each.knowledge_source_id))
  return { all, sources, partial, keys: [...allowed], total: sum(classes), seen: sum(seen) }
}

async function keysSeen(ctx: Context, who: Who, keys: ReadonlySet<string>): Promise<Set<string>> {
  const seen = new Set<string>()
  for (const key of keys) {
    if (key === openKey || maySee(who, await accessWith(ctx, who.workspace, key))) seen.add(key)
  }
  return seen
}

async function accessWith(ctx: Context, workspace: string, key: string): Promise<Access> {
  const { accesses } = ctx.state['knowledge-sources']
  const cached = accesses.get(key)
  if (cached) return cached
  const row = await ctx.db
    .selectFrom('knowledge_document')
    .select('access')
    .where('workspace_id', '=', workspace)
    .where('access_key', '=', key)
    .limit(1)
    .executeTakeFirst()
  const access = row ? (JSON.parse(row.access) as Access) : { groups: [], users: [] }
  if (row) accesses.set(key, access)
  return access
}

/** The condition that a caller may see a document, undefined if that holds for all. */
export async function visibleDocuments(
  ctx: Context,
  who: Who,
  sourceIds?: readonly string[],
): Promise<Narrow | undefined> {
  if (!isBound(who)) return undefined
  const { sources, keys } = await readVisibility(ctx, who, sourceIds)
  return (rows) =>
    rows.where('knowledge_source_id', 'in', sources.concat('')).where('access_key', 'in', keys.concat('-'))
}

/**
 * The sources that a caller may not see; with `whole`, also those of which the caller may not see every document. Sources in
 * `among` that are deleted count as hidden: nobody can tell any more whether their content was.
 */
export async function hiddenSources(
  ctx: Context,
  who: Who,
  { whole = false, among }: { whole?: boolean; among?: readonly string[] } = {},
): Promise<string[]> {
  if (!isBound(who)) return []
  if (!whole) {
    const { all, sources } = await sourcesSeen(ctx, who, among)
    return (among ?? all).filter((id) => !sources.includes(id))
  }
  const { all, sources, partial } = await readVisibility(ctx, who, among)
  return (among ?? all).filter((id) => !sources.includes(id) || partial.has(id))
}

/**
 * One restricted document for each distinct access of the documents of some sources. A caller that keeps these ids can tell
 * later that a restricted document was deleted.
 */
export async function restrictedSamples(db: Db, workspace: string, sourceIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('knowledge_document')
    .select((is) => is.fn.min('id').as('id'))
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', 'in', sourceIds.concat(''))
    .where('access_key', '!=', openKey)
    .groupBy(['knowledge_source_id', 'access_key'])
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a caller sees these sources with all their documents. */
export async function seesWhole(ctx: Context, who: Who, sourceIds: readonly string[]): Promise<boolean> {
  if (!isBound(who)) return true
  const { sources, total, seen } = await readVisibility(ctx, who, sourceIds)
  return seen === total && sourceIds.every((id) => sources.includes(id))
}

/** The documents of some sources that a search may find, or those that it may not, whichever are fewer. */
export type SearchedDocuments = { only: string[] } | { except: string[] }

/** Null if a search may find all of them. */
export async function searchedDocuments(
  ctx: Context,
  who: Who,
  sourceIds: readonly string[],
): Promise<SearchedDocuments | null> {
  if (!isBound(who)) return null
  const { sources, keys, total, seen } = await readVisibility(ctx, who, sourceIds)
  if (seen === total) return null
  const isOnly = seen <= total - seen
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .select('id')
    .where('workspace_id', '=', who.workspace)
    .where('knowledge_source_id', 'in', [...sourceIds])
    .where((is) => {
      const isSeen = is.and([
        is('knowledge_source_id', 'in', sources.concat('')),
        is('access_key', 'in', keys.concat('-')),
      ])
      return isOnly ? isSeen : is.not(isSeen)
    })
    .execute()
  const ids = rows.map(({ id }) => id)
  return isOnly ? { only: ids } : { except: ids }
}

/** The documents among these that a caller sees now. */
export async function seenAmong(ctx: Context, who: Who, ids: readonly string[]): Promise<(id: string) => boolean> {
  if (!isBound(who) || ids.length === 0) return () => true
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .innerJoin('knowledge_source', 'knowledge_source.id', 'knowledge_document.knowledge_source_id')
    .select(['knowledge_document.id', 'knowledge_document.access', 'knowledge_source.access as source_access'])
    .where('knowledge_document.workspace_id', '=', who.workspace)
    .where('knowledge_document.id', 'in', [...new Set(ids)])
    .execute()
  const sees = (access: string) => maySee(who, JSON.parse(access) as Access | null)
  const seen = new Set(rows.filter((row) => sees(row.access) && sees(row.source_access)).map(({ id }) => id))
  return (id) => seen.has(id)
}
