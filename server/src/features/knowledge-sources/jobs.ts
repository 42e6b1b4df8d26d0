import type { Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { hour, minute, timestamp } from '../../kernel/time.ts'
import { type Forgotten, forgetInJob, forgetQueue } from './forget.ts'
import { SyncError } from './readers/reader.ts'
import { sources } from './sources.ts'
import { sweepFiles } from './sweep.ts'
import { runSync } from './sync-run.ts'
import { finish, type SyncPayload, syncQueue } from './syncs.ts'

const tries = 8

/** Stops the syncs of this process, so that it can end soon. They continue at the next start. */
export const stopSyncs = (ctx: Context): void =>
  ctx.state['knowledge-sources'].stop.abort(new Error('The process is stopping.'))

async function sync(ctx: Context, workspace: string, payload: SyncPayload, attempt: number, signal: AbortSignal) {
  try {
    await runSync(ctx, workspace, payload, signal)
  } catch (error) {
    if (!(await sources.find(ctx.db, { workspace }, payload.source))) {
      return ctx.state['knowledge-sources'].indexer.drop(ctx, workspace, payload.source) // deleted meanwhile, and something may have been put back
    }
    const forGood = error instanceof SyncError
    if (signal.aborted || (!forGood && attempt < tries)) throw error
    if (!forGood) ctx.log.error({ err: error, source: payload.source }, 'a sync failed')
    const known = forGood || error instanceof Problem
    await finish(ctx, workspace, payload.sync, known ? reason(error) : 'Something failed inside the service.')
  }
}

/** A sync whose job is over and that nobody has ended: its process died each time it was tried. */
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
    await finish(ctx, workspace, id, job?.error ?? 'The process that ran it ended each time before it was done.')
  }
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: syncQueue,
    concurrency: 2,
    attempts: tries,
    run: ({ workspace, payload, attempt, signal }) =>
      sync(
        ctx,
        workspace as string,
        payload as SyncPayload,
        attempt,
        AbortSignal.any([signal, ctx.state['knowledge-sources'].stop.signal]),
      ),
  })
  ctx.jobs.define({
    queue: forgetQueue,
    attempts: 20,
    run: ({ payload }) => forgetInJob(ctx, payload as Forgotten & { workspace: string }),
  })
  ctx.jobs.define({ queue: 'knowledge-sources.lost', every: minute, run: () => endLostSyncs(ctx) })
  ctx.jobs.define({ queue: 'knowledge-sources.sweep', every: hour, run: () => sweepFiles(ctx, Date.now() - hour) })
}
