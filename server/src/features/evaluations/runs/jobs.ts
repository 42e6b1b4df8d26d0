import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import type { RunningJob } from '../../../kernel/jobs/definition.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { second, timestamp } from '../../../kernel/time.ts'
import { type RunContext, runCase, runContext } from './run-case.ts'
import { endRun, enqueueRun, queue, type RunPayload } from './service.ts'
import { activeStatuses, decodeRun, findRun, isActive, pendingPositions, type RunRow } from './store.ts'

const concurrency = 4
/** A run that was resumed this often without finishing a case has failed. */
const maxStalled = 5
/** The run decides when it has failed, so the queue must never stop retrying. */
const attempts = 1_000_000

export function defineJobs(ctx: Context): void {
  const { running } = ctx.state.evaluations
  ctx.jobs.define({
    queue,
    concurrency,
    attempts,
    run(job) {
      const done = resumeRun(ctx, job)
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

/** Starts no more cases and waits up to `timeout` milliseconds for running ones. */
export async function drain(ctx: Context, timeout: number): Promise<void> {
  const { evaluations } = ctx.state
  evaluations.draining = true
  await Promise.race([Promise.all(evaluations.running), delay(timeout, undefined, { ref: false })])
}

/** Runs the cases without a result, and ends the run when there are none left. */
async function resumeRun(ctx: Context, { workspace, payload, signal }: RunningJob): Promise<void> {
  const { run: id } = payload as RunPayload
  const run = workspace === null ? undefined : await claimRun(ctx, workspace, id)
  if (!run) return
  if (run.stalled > maxStalled) {
    await endRun(ctx, run, 'failed', 'The run was resumed several times without finishing a case. See the log.')
    return
  }
  try {
    const isComplete = await runCases(runContext(ctx, run, signal))
    if (isComplete) await endRun(ctx, run, 'completed')
    else await postpone(ctx, run, second)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    ctx.log.error({ err: error, run: id }, 'evaluation run interrupted')
    if (run.stalled < maxStalled) return postpone(ctx, run, second * 2 ** run.stalled)
    await endRun(ctx, run, 'failed', `The run failed: ${reason(error)}`)
  }
}

async function claimRun(ctx: Context, workspace: string, id: string): Promise<RunRow | undefined> {
  const now = timestamp(ctx.now())
  const cells = await ctx.db
    .updateTable('evaluation_run')
    .set((is) => ({
      status: 'running' as const,
      stalled: is('stalled', '+', 1),
      started_at: is.fn.coalesce('started_at', is.val(now)),
      updated_at: now,
    }))
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('status', 'in', activeStatuses)
    .returningAll()
    .executeTakeFirst()
  return cells && decodeRun(cells)
}

/** Leaves the remaining cases to another job, on any node. */
async function postpone(ctx: Context, run: RunRow, wait: number): Promise<void> {
  const now = await findRun(ctx.db, run.workspace_id, run.evaluation_id, run.id)
  if (!now || !isActive(now)) return
  await inTransaction(ctx.db, (tx) => enqueueRun(ctx, tx, run, wait))
}

/** Runs the pending cases with the concurrency of the evaluation. Returns false if some are left. */
async function runCases(work: RunContext): Promise<boolean> {
  const { ctx, run, signal } = work
  const pending = await pendingPositions(ctx.db, run)
  let next = 0
  let failure: unknown = null
  let stopped = false
  const worker = async () => {
    while (next < pending.length && failure === null && !stopped && !signal.aborted) {
      if (ctx.state.evaluations.draining) stopped = true
      else {
        const position = pending[next++] as number
        await runCase(work, position).then(
          (canContinue) => {
            if (!canContinue) stopped = true
          },
          (error) => {
            failure ??= error
          },
        )
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(run.concurrency, pending.length) }, worker))
  signal.throwIfAborted()
  if (failure !== null) throw failure
  return !stopped
}
