import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound, Problem } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import { timestamp } from '../../../kernel/time.ts'
import { seesWhole } from '../access/visible.ts'
import { cleanUpAfterSync } from '../files/deletion.ts'
import { runningSync } from '../running-sync.ts'
import type { Sync } from '../schema.ts'
import { sources } from '../sources.ts'
import { type SourceRow, type SyncRow, syncs } from '../store.ts'

export const syncQueue = 'knowledge-sources.sync'

export interface SyncPayload {
  source: string
  sync: string
}

async function startSync(ctx: Context, tx: Db, workspace: string, sourceId: string, requested: 0 | 1): Promise<string> {
  const id = ctx.newId('syn')
  const payload: SyncPayload = { source: sourceId, sync: id }
  const job = await ctx.jobs.enqueue(tx, syncQueue, { workspace, payload, key: `sync ${id}` })
  await tx
    .insertInto('knowledge_sync')
    .values({
      id,
      workspace_id: workspace,
      knowledge_source_id: sourceId,
      status: 'running',
      asked_for: requested,
      job_id: job,
      started_at: timestamp(ctx.now()),
      updated_at: timestamp(ctx.now()),
      finished_at: null,
      error: null,
      revision: 1,
      ...noCounts,
    })
    .execute()
  await setSourceState(tx, workspace, sourceId, { status: 'syncing', sync_again: 0 })
  return id
}

const noCounts = {
  documents_total: 0,
  documents_added: 0,
  documents_updated: 0,
  documents_removed: 0,
  documents_unchanged: 0,
  documents_failed: 0,
  chunks_embedded: 0,
  chunks_reused: 0,
  chunks_removed: 0,
}

type SourceState = Partial<Pick<SourceRow, 'status' | 'status_message' | 'last_sync' | 'sync_again'>>

/** The state of a source is no change of the resource, so its revision stays. */
async function setSourceState(tx: Db, workspace: string, id: string, state: SourceState): Promise<void> {
  await tx
    .updateTable('knowledge_source')
    .set(state)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .execute()
}

/** A caller requests a sync. One that a change has started already covers the request, so the caller gets that. */
export const requestSync = (ctx: Context, who: Caller, sourceId: string, db: Db = ctx.db): Promise<SyncRow> =>
  inTransaction(db, async (tx) => {
    if (!(await sources.table.lock(tx, who.workspace, sourceId))) notFound(sources.kind, sourceId)
    const running = await runningSync(tx, who.workspace, sourceId)
    if (running?.asked_for) {
      throw new Problem('already_running', 'A sync of this source is running. Wait for it to finish.', {
        details: [{ path: 'sync', message: running.id }],
      })
    }
    if (running) await tx.updateTable('knowledge_sync').set({ asked_for: 1 }).where('id', '=', running.id).execute()
    const id = running?.id ?? (await startSync(ctx, tx, who.workspace, sourceId, 1))
    await ctx.audit.record(tx, who, { action: 'sync', kind: sources.kind, id: sourceId, part: id })
    return (await syncs.lock(tx, who.workspace, id)) ?? notFound('sync', id)
  })

/** Starts a sync, or has the running one look again before it ends. The caller must have locked the source. */
export async function requestSyncAfterChange(ctx: Context, tx: Db, workspace: string, sourceId: string): Promise<void> {
  if (await runningSync(tx, workspace, sourceId)) await setSourceState(tx, workspace, sourceId, { sync_again: 1 })
  else await startSync(ctx, tx, workspace, sourceId, 0)
}

/** The reason why one of the documents could not be read. */
const firstError = async (tx: Db, workspace: string, sourceId: string): Promise<string> => {
  const row = await tx
    .selectFrom('knowledge_document')
    .select('error')
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', sourceId)
    .where('status', '=', 'failed')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.error ?? 'None of the documents could be read.'
}

/** A sync fails if no document could be read. If some could, the failed ones carry their own error. */
async function describeFailure(tx: Db, workspace: string, sync: SyncRow, kept: number): Promise<string | null> {
  const { documents_failed: failed, documents_added, documents_updated, documents_unchanged } = sync
  if (failed === 0 || documents_added + documents_updated + documents_unchanged > kept) return null
  const error = await firstError(tx, workspace, sync.knowledge_source_id)
  return failed === 1 ? error : `None of the ${failed} documents could be read. The first error: ${error}`
}

/**
 * Ends a sync and publishes its event, in one transaction. Returns false if the source changed meanwhile, so that the
 * sync must look again. `kept` documents were not looked at, so they do not count as read.
 */
export const finishSync = (
  ctx: Context,
  workspace: string,
  syncId: string,
  failure: string | null,
  kept = 0,
): Promise<boolean> =>
  inTransaction(ctx.db, async (tx) => {
    const started = await syncs.find(tx, workspace, syncId)
    const source = started && (await sources.table.lock(tx, workspace, started.knowledge_source_id))
    const sync = source && (await syncs.lock(tx, workspace, syncId))
    if (!source || sync?.status !== 'running') return true
    if (failure === null && source.sync_again) {
      await setSourceState(tx, workspace, source.id, { sync_again: 0 })
      return false
    }
    const problem = failure ?? (await describeFailure(tx, workspace, sync, kept))
    const finished_at = timestamp(ctx.now())
    const outcome = {
      status: problem === null ? 'completed' : 'failed',
      error: problem,
      finished_at,
      updated_at: finished_at,
    } as const
    await tx.updateTable('knowledge_sync').set(outcome).where('id', '=', syncId).execute()
    const status = problem === null ? 'active' : 'error'
    await setSourceState(tx, workspace, source.id, {
      status,
      status_message: problem,
      ...(problem === null && { last_sync: finished_at }),
    })
    await ctx.events.publish(tx, {
      workspace,
      type: 'knowledge_source.synced',
      data: {
        knowledge_source: { id: source.id, name: source.name, type: source.type, status },
        sync: presentSync({ ...sync, ...outcome }),
      },
    })
    if (source.sync_again) await startSync(ctx, tx, workspace, source.id, 0)
    else await cleanUpAfterSync(ctx, tx, { workspace, source: source.id })
    return true
  })

export function presentSync(row: SyncRow): Sync {
  const { id, knowledge_source_id, status, started_at, finished_at, error, updated_at } = row
  // The total is updated less often than the other counts.
  const counted = row.documents_added + row.documents_updated + row.documents_unchanged + row.documents_failed
  return {
    id,
    knowledge_source_id,
    status,
    started_at,
    finished_at,
    documents: {
      total: Math.max(row.documents_total, counted),
      added: row.documents_added,
      updated: row.documents_updated,
      removed: row.documents_removed,
      unchanged: row.documents_unchanged,
      failed: row.documents_failed,
    },
    chunks: { embedded: row.chunks_embedded, reused: row.chunks_reused, removed: row.chunks_removed },
    reading: status === 'running' ? row.reading : [],
    error,
    created_at: started_at,
    updated_at,
  }
}

/** Syncs count and name all documents, so they are only for those who may see all of them. */
export async function listSyncs(ctx: Context, who: Caller, sourceId: string, query: ListQuery): Promise<Page<SyncRow>> {
  await sources.get(ctx, who, sourceId)
  if (!(await seesWhole(ctx, who, [sourceId]))) return { rows: [], total: 0 }
  return syncs.list(ctx.db, who.workspace, query, (rows) => rows.where('knowledge_source_id', '=', sourceId))
}

export async function getSync(ctx: Context, who: Caller, sourceId: string, id: string): Promise<SyncRow> {
  await sources.get(ctx, who, sourceId)
  const sync = await syncs.find(ctx.db, who.workspace, id)
  const isSeen = sync?.knowledge_source_id === sourceId && (await seesWhole(ctx, who, [sourceId]))
  return isSeen ? sync : notFound('sync', id)
}
