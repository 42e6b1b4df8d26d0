import { isDeepStrictEqual } from 'node:util'
import { type Access, isBound, maySee } from '../../kernel/access.ts'
import type { ToolTraits } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { nobody } from './access/rules.ts'
import { seesWhole } from './access/visible.ts'
import { removeNow } from './documents/deletion.ts'
import { indexerOf } from './indexer.ts'
import { withKeys } from './readers/text.ts'
import { readingSettings } from './reading.ts'
import type { IndexState } from './schema.ts'
import { sources } from './sources.ts'
import type { SourceRow } from './store.ts'
import { requestSyncAfterChange, runningSync } from './syncs/service.ts'

export { sourceKind } from './sources.ts'

/** The documents of a `text` source come with the request, so the sync starts by itself. */
async function create(ctx: Context, who: Caller, body: object): Promise<SourceRow> {
  return inTransaction(ctx.db, async (tx) => {
    const source = await sources.create(ctx, who, body, tx)
    if (source.type !== 'text' || !source.configuration.documents?.length) return source
    await requestSyncAfterChange(ctx, tx, who.workspace, source.id)
    return { ...source, status: 'syncing' }
  })
}

async function update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<SourceRow> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await sources.find(tx, who, id)
    const source = await sources.update(ctx, who, id, body, ifMatch, tx)
    if (!readsOtherwise(before, source, body)) return source
    await requestSyncAfterChange(ctx, tx, who.workspace, source.id)
    return { ...source, status: 'syncing' }
  })
}

/** Whether the stored documents of a source have to be read again. */
function readsOtherwise(before: SourceRow | undefined, source: SourceRow, body: object): boolean {
  if (source.type === 'text') return 'configuration' in body
  return (
    source.type === 'file' &&
    before !== undefined &&
    !isDeepStrictEqual(readingSettings(before), readingSettings(source))
  )
}

/** For callers who are bound by access, a `text` source has only the texts that they may see. */
async function get(ctx: Context, who: Caller, id: string): Promise<SourceRow> {
  const source = await sources.get(ctx, who, id)
  const { documents: texts } = source.configuration
  if (!texts || !isBound(who)) return source
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .select(['key', 'access'])
    .where('workspace_id', '=', who.workspace)
    .where('knowledge_source_id', '=', id)
    .execute()
  const accesses = new Map(rows.map(({ key, access }) => [key, JSON.parse(access) as Access | null]))
  const unknown = source.access_rules.length > 0 ? nobody : null
  const visible = [...withKeys(texts)].filter(([key]) =>
    maySee(who, accesses.has(key) ? (accesses.get(key) ?? null) : unknown),
  )
  return { ...source, configuration: { ...source.configuration, documents: visible.map(([, text]) => text) } }
}

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  const running = await runningSync(ctx.db, who.workspace, id)
  await sources.remove(ctx, who, id, ifMatch)
  if (running?.job_id) await ctx.jobs.cancel(who.workspace, running.job_id)
  await removeNow(ctx, who.workspace, { source: id })
}

export { documents } from './store.ts'

/** Adds the state of its own index. */
const withIndex = async (ctx: Context, who: Caller, source: SourceRow): Promise<SourceRow & { index: IndexState }> => ({
  ...source,
  index: (await seesWhole(ctx, who, [source.id])) ? await indexerOf(ctx).state(ctx, who.workspace, source.id) : null,
})

export const knowledgeSources = {
  ...sources,
  get: async (ctx: Context, who: Caller, id: string) => withIndex(ctx, who, await get(ctx, who, id)),
  create: async (ctx: Context, who: Caller, body: object) => withIndex(ctx, who, await create(ctx, who, body)),
  update: async (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string) =>
    withIndex(ctx, who, await update(ctx, who, id, body, ifMatch)),
  remove,
}

/** The traits of a tool over these sources. Web pages are public and untrusted; the rest belongs to the workspace. */
export async function traitsOfSources(ctx: Context, who: Caller, ids: string[]): Promise<ToolTraits> {
  const found = await Promise.all(ids.map((id) => sources.find(ctx.db, who, id)))
  const types = found.flatMap((source) => source?.type ?? [])
  return { readsPrivate: types.some((type) => type !== 'web'), readsUntrusted: types.includes('web') }
}
