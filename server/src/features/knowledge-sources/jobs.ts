import type { Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { hour, minute, timestamp } from '../../kernel/time.ts'
import { type CleanUp, cleanUp, cleanUpAll, cleanUpQueue } from './files/deletion.ts'
import { sweepFiles } from './files/stored-files.ts'
import { getIndexer } from './indexer.ts'
import { SyncError } from './readers/reader.ts'
import { sources } from './sources.ts'
import { runSync } from './syncs/run.ts'
import { finishSync, type SyncPayload, syncQueue } from './syncs/service.ts'

const syncAttempts = 8

/** Stops the syncs of this process. The next start resumes them. */
export const stopSyncs = (ctx: Context): void =>
  ctx.state['knowledge-sources'].stop.abort(new Error('The process is stopping.'))

async function sync(ctx: Context, workspace: string, payload: SyncPayload, attempt: number, signal: AbortSignal) {
  try {
    await runSync(ctx, workspace, payload, signal)
  } catch (error) {
    if (!(await sources.find(ctx.db, { workspace }, payload.source))) {
      return getIndexer(ctx).drop(ctx, workspace, payload.source) // deleted during the sync, which may have indexed a document
    }
    const isPermanent = error instanceof SyncError
    if (signal.aborted || (!isPermanent && attempt < syncAttempts)) throw error
    if (!isPermanent) ctx.log.error({ err: error, source: payload.source }, 'a sync failed')
    const hasReason = isPermanent || error instanceof Problem
    await finishSync(ctx, workspace, payload.sync, hasReason ? reason(error) : 'An internal error occurred.')
  }
}

/** Ends syncs that still run although their job has ended, because the process died on every attempt. */
async function endLostSyncs(ctx: Context): Promise<void> {
  const running = await ctx.db
    .selectFrom('knowledge_sync')
    .select(['id', 'workspace_id', 'job_id'])
    .where('status', '=', 'running')
    .where('started_at', '<', timestamp(ctx.now() - minute))
    .execute()
  for (const { id, workspace_id: workspace, job_id } of running) {
    const job = job_id === null ? undefined : await ctx.jobs.get(workspace, job_id)
    if (job?.status === 'queued' || job?.status === 'running') continue
    await finishSync(ctx, workspace, id, job?.error ?? 'The process ended before the sync was finished.')
  }
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: syncQueue,
    // Most of them wait for the parser, which reads few documents at a time, so slow documents do not keep others from it.
    concurrency: 16,
    perWorkspace: 8,
    attempts: syncAttempts,
    run({ workspace, payload, attempt, signal }) {
      const either = AbortSignal.any([signal, ctx.state['knowledge-sources'].stop.signal])
      return sync(ctx, workspace as string, payload as SyncPayload, attempt, either)
    },
  })
  ctx.jobs.define({
    queue: cleanUpQueue,
    attempts: 20,
    run: ({ payload }) => cleanUp(ctx, payload as CleanUp),
  })
  ctx.jobs.define({ queue: 'knowledge-sources.clean-up-all', every: minute, run: () => cleanUpAll(ctx) })
  ctx.jobs.define({ queue: 'knowledge-sources.lost', every: minute, run: () => endLostSyncs(ctx) })
  // Uses the clock that all nodes share. A clock that is ahead would delete a file whose upload is not stored yet.
  ctx.jobs.define({ queue: 'knowledge-sources.sweep', every: hour, run: () => sweepFiles(ctx, ctx.now() - hour) })
}
