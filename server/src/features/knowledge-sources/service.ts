import { isDeepStrictEqual } from 'node:util'
import type { ToolTraits } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { seesWhole } from './access/visible.ts'
import { removeSourceNow } from './files/deletion.ts'
import { getIndexer } from './indexer.ts'
import { readingSettings } from './reading.ts'
import { runningSync } from './running-sync.ts'
import type { Coverage, IndexState, KnowledgeSource, TextDocument } from './schema.ts'
import { sources } from './sources.ts'
import type { SourceRow } from './store.ts'
import { requestSyncAfterChange } from './syncs/service.ts'
import { replaceTexts, withTexts } from './texts.ts'

export { sourceKind } from './sources.ts'

const textsIn = (body: object): TextDocument[] => (body as Partial<KnowledgeSource>).configuration?.documents ?? []

/** The documents of a `text` source are part of the request, so a sync starts at once. */
async function create(ctx: Context, who: Caller, body: object): Promise<SourceRow> {
  const texts = textsIn(body)
  return inTransaction(ctx.db, async (tx) => {
    const source = await sources.create(ctx, who, body, tx)
    if (texts.length === 0) return withTexts(tx, who, source)
    await replaceTexts(tx, who.workspace, source.id, texts)
    await requestSyncAfterChange(ctx, tx, who.workspace, source.id)
    return withTexts(tx, who, { ...source, status: 'syncing' })
  })
}

async function update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<SourceRow> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await sources.table.lock(tx, who.workspace, id)
    const source = await sources.update(ctx, who, id, body, ifMatch, tx)
    if (before?.configuration.documents_hash !== source.configuration.documents_hash)
      await replaceTexts(tx, who.workspace, id, textsIn(body))
    if (!readsOtherwise(before, source, body)) return withTexts(tx, who, source)
    await requestSyncAfterChange(ctx, tx, who.workspace, source.id)
    return withTexts(tx, who, { ...source, status: 'syncing' })
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

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  const running = await runningSync(ctx.db, who.workspace, id)
  await sources.remove(ctx, who, id, ifMatch)
  if (running?.job_id) await ctx.jobs.cancel(who.workspace, running.job_id)
  await removeSourceNow(ctx, who.workspace, id)
}

export { documents } from './store.ts'

/** Adds the state of its own index, and how much of its documents could be read. */
async function withState(
  ctx: Context,
  who: Caller,
  source: SourceRow,
): Promise<SourceRow & { index: IndexState; coverage: Coverage }> {
  if (!(await seesWhole(ctx, who, [source.id]))) return { ...source, index: null, coverage: null }
  const index = await getIndexer(ctx).state(ctx, who.workspace, source.id)
  return { ...source, index, coverage: await measureCoverage(ctx, who, source.id) }
}

async function measureCoverage(ctx: Context, { workspace }: Caller, sourceId: string): Promise<Coverage> {
  const sums = await ctx.db
    .selectFrom('knowledge_document')
    .select((is) => [
      is.fn.countAll().as('documents'),
      is.fn.count('id').filterWhere('status', '=', 'failed').as('documents_failed'),
      is.fn.sum('pages').as('pages'),
      is.fn.sum('pages_without_text').as('pages_without_text'),
    ])
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', sourceId)
    .executeTakeFirstOrThrow()
  return {
    documents: Number(sums.documents),
    documents_failed: Number(sums.documents_failed),
    pages: Number(sums.pages),
    pages_without_text: Number(sums.pages_without_text),
  }
}

export const knowledgeSources = {
  ...sources,
  get: async (ctx: Context, who: Caller, id: string) =>
    withState(ctx, who, await withTexts(ctx.db, who, await sources.get(ctx, who, id))),
  create: async (ctx: Context, who: Caller, body: object) => withState(ctx, who, await create(ctx, who, body)),
  update: async (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string) =>
    withState(ctx, who, await update(ctx, who, id, body, ifMatch)),
  remove,
}

/** The traits of a tool over these sources. Web pages are public and untrusted; the rest belongs to the workspace. */
export async function traitsOfSources(ctx: Context, who: Caller, ids: string[]): Promise<ToolTraits> {
  const rows = await Promise.all(ids.map((id) => sources.find(ctx.db, who, id)))
  const types = rows.flatMap((source) => source?.type ?? [])
  return { readsPrivate: types.some((type) => type !== 'web'), readsUntrusted: types.includes('web') }
}
