import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import type { RunningJob } from '../../../kernel/jobs/jobs.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { second, timestamp } from '../../../kernel/time.ts'
import { runCase, type Work, workOf } from './run-case.ts'
import { endRun, enqueueRun, queue, type RunPayload } from './service.ts'
import { activeStatuses, decodeRun, findRun, isActive, pendingPositions, type RunRow } from './store.ts'

const runsAtOnce = 4
/** So often a run is taken up without getting any further before it counts as failed. */
const mostStalled = 5
/** The run itself says when it has failed for good, so the queue never gives up on it. */
const attempts = 1_000_000

export function defineJobs(ctx: Context): void {
  const { running } = ctx.state.evaluations
  ctx.jobs.define({
    queue,
    concurrency: runsAtOnce,
    attempts,
    run(job) {
      const done = carryOn(ctx, job)
      const ended = done.then(
        () => undefined,
        () => undefined,
      )
      running.add(ended)
      void ended.then(() => running.delete(ended))
      return done
    },
  })
}

/** Begins no further case, and lets those that run finish for as long as the patience lasts. */
export async function drain(ctx: Context, patience: number): Promise<void> {
  const { evaluations } = ctx.state
  evaluations.draining = true
  await Promise.race([Promise.all(evaluations.running), delay(patience, undefined, { ref: false })])
}

/** Takes a run up where it stands, and ends it when its last case is done. */
async function carryOn(ctx: Context, { payload, signal }: RunningJob): Promise<void> {
  const { run: id } = payload as RunPayload
  const run = await takeUp(ctx, id)
  if (!run) return
  if (run.stalled > mostStalled) {
    await endRun(ctx, run, 'failed', 'The run was taken up several times without finishing a case; the log says why.')
    return
  }
  try {
    const whole = await runCases(workOf(ctx, run, signal))
    if (whole) await endRun(ctx, run, 'completed')
    else await putOff(ctx, run, second)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    ctx.log.error({ err: error, run: id }, 'an evaluation run was interrupted')
    if (run.stalled < mostStalled) return putOff(ctx, run, second * 2 ** run.stalled)
    await endRun(ctx, run, 'failed', `The run could not go on: ${reason(error)}`)
  }
}

async function takeUp(ctx: Context, id: string): Promise<RunRow | undefined> {
  const now = timestamp(ctx.now())
  const cells = await ctx.db
    .updateTable('evaluation_run')
    .set((is) => ({
      status: 'running' as const,
      stalled: is('stalled', '+', 1),
      started_at: is.fn.coalesce('started_at', is.val(now)),
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('status', 'in', activeStatuses)
    .returningAll()
    .executeTakeFirst()
  return cells && decodeRun(cells)
}

/** Leaves the rest of a run to another job, here or elsewhere. */
async function putOff(ctx: Context, run: RunRow, wait: number): Promise<void> {
  const now = await findRun(ctx.db, run.workspace_id, run.evaluation_id, run.id)
  if (!now || !isActive(now)) return
  await inTransaction(ctx.db, (tx) => enqueueRun(ctx, tx, run, wait))
}

/** Runs the cases that are not done, as many at once as the evaluation says. False when some are left. */
async function runCases(work: Work): Promise<boolean> {
  const { ctx, run, signal } = work
  const pending = await pendingPositions(ctx.db, run.id)
  let next = 0
  let failure: unknown = null
  let stopped = false
  const lane = async () => {
    while (next < pending.length && failure === null && !stopped && !signal.aborted) {
      if (ctx.state.evaluations.draining) stopped = true
      else {
        const position = pending[next++] as number
        await runCase(work, position).then(
          (wanted) => {
            if (!wanted) stopped = true
          },
          (error) => {
            failure ??= error
          },
        )
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(run.concurrency, pending.length) }, lane))
  signal.throwIfAborted()
  if (failure !== null) throw failure
  return !stopped
}
