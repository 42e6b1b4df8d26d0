import type { Context } from '../../kernel/context.ts'
import { second } from '../../kernel/time.ts'
import { readDirectory } from './readers/directory.ts'
import { readUploads } from './readers/file.ts'
import type { Item, Known, Reader } from './readers/reader.ts'
import { readTexts } from './readers/text.ts'
import { readSite } from './readers/web.ts'
import type { SourceType } from './schema.ts'
import { sources } from './sources.ts'
import { type SourceRow, type SyncRow, statement, syncs } from './store.ts'
import { SyncDocuments } from './sync-documents.ts'
import { finish, type SyncPayload } from './syncs.ts'

const readers: Record<SourceType, Reader> = {
  file: readUploads,
  text: readTexts,
  web: readSite,
  directory: readDirectory,
}

const documentsAtOnce = 8
const progressEvery = second / 2

/** Brings what is searchable in step with what is there. Run again after a crash, it goes on where it was. */
export async function runSync(ctx: Context, workspace: string, ids: SyncPayload, signal: AbortSignal): Promise<void> {
  for (let done = false; !done; ) {
    const source = await sources.find(ctx.db, { workspace }, ids.source)
    if (!source) return ctx.state['knowledge-sources'].indexer.drop(ctx, workspace, ids.source)
    const sync = await syncs.find(ctx.db, workspace, ids.sync)
    if (sync?.status !== 'running') return
    const kept = await readOnce(ctx, workspace, source, sync, signal)
    done = await finish(ctx, workspace, sync.id, null, kept)
  }
}

/** Answers how many documents were not looked at and stay as they are. */
async function readOnce(
  ctx: Context,
  workspace: string,
  source: SourceRow,
  sync: SyncRow,
  signal: AbortSignal,
): Promise<number> {
  const known = await knownDocuments(ctx, workspace, source.id)
  const work = new SyncDocuments(ctx, { workspace, source, sync, known, signal })
  const met = new Set<string>()
  let told = 0
  const tellProgress = async (total: number) => {
    told = Date.now()
    const counts = { documents_total: total, documents_unchanged: work.unchanged }
    const update = ctx.db.updateTable('knowledge_sync').set(counts).where('id', '=', sync.id)
    await ctx.commits.commit([statement(update.where('workspace_id', '=', workspace))])
  }
  await tellProgress(known.size)
  const items = readers[source.type]({ ctx, workspace, source, known, signal })
  const ending = await inParallel(items, documentsAtOnce, async (item: Item) => {
    signal.throwIfAborted()
    met.add(item.key)
    await work.bringIn(item)
    if (Date.now() - told > progressEvery) await tellProgress(Math.max(known.size, met.size))
  })
  signal.throwIfAborted()
  const unmet = [...known.values()].filter(({ key }) => !met.has(key))
  const gone = ending?.incomplete ? [] : unmet
  await work.remove(gone)
  const kept = unmet.filter(({ sync_id }) => ending?.incomplete && sync_id !== sync.id).length
  work.unchanged += kept
  await tellProgress(known.size - gone.length + [...met].filter((key) => !known.has(key)).length)
  return kept
}

async function knownDocuments(ctx: Context, workspace: string, sourceId: string): Promise<Map<string, Known>> {
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .select(['id', 'key', 'name', 'media_type', 'size', 'sha256', 'status', 'given_metadata'])
    .select(['stamp', 'version', 'indexed_version', 'sync_id'])
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', sourceId)
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** Works on a few at a time. The first failure ends it, once those that run have ended. */
async function inParallel<T, R>(
  items: AsyncGenerator<T, R> | Generator<T, R>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<R> {
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  try {
    for (;;) {
      const next = await items.next()
      if (next.done) {
        await Promise.all(running)
        if (failure) throw failure.error
        return next.value
      }
      const task = work(next.value)
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => running.delete(task))
      running.add(task)
      if (running.size >= most) await Promise.race(running)
      if (failure) throw failure.error
    }
  } finally {
    await Promise.all(running)
    await items.return(undefined as R)
  }
}
