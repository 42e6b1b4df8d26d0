import { isWaiting } from '../../kernel/agent/needs.ts'
import type { Context } from '../../kernel/context.ts'
import type { DomainEvent } from '../../kernel/events.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { minute, timestamp } from '../../kernel/time.ts'
import { replyStatuses } from '../conversations/children/replies.ts'
import { runDue } from './execution/due.ts'
import { enqueueStart, markWaiting, type Outcome, settle, settleByReply, startQueue } from './execution/settle.ts'
import { startRun } from './execution/start.ts'
import type { RunRow } from './runs/store.ts'
import { dueQueue, enqueueDue } from './schedules/service.ts'

/** The schedule and its runs decide what to do, so the queue must never stop retrying. */
const attempts = 1_000_000
const batchSize = 500

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({ queue: dueQueue, concurrency: 4, attempts, run: (job) => runDue(ctx, job) })
  ctx.jobs.define({ queue: startQueue, concurrency: 32, perWorkspace: 16, attempts, run: (job) => startRun(ctx, job) })
  ctx.jobs.define({ queue: 'automations.lost', every: minute, run: () => resumeLost(ctx) })
}

/** Finds due times and runs whose job or process was lost. */
export async function resumeLost(ctx: Context): Promise<void> {
  const since = timestamp(ctx.now() - minute)
  const overdue = await ctx.db
    .selectFrom('schedule')
    .select(['id', 'workspace_id', 'next_run_at'])
    .where('next_run_at', '<=', since)
    .where('enabled', '=', true)
    .limit(batchSize)
    .execute()
  for (const { id, workspace_id, next_run_at } of overdue)
    await inTransaction(ctx.db, (tx) => enqueueDue(ctx, tx, workspace_id, { schedule: id, due: next_run_at ?? '' }))
  for await (const run of lostRuns(ctx, since)) {
    if (run.message_id !== null) await settleByReply(ctx, run)
    else if (run.sync_id === null && run.evaluation_run_id === null)
      await inTransaction(ctx.db, (tx) => enqueueStart(ctx, tx, run.workspace_id, run.id))
  }
}

/** Active runs that have not changed since then. Runs whose reply waits for a person are left out: they may be many. */
async function* lostRuns({ db }: Context, since: string): AsyncGenerator<RunRow> {
  for (let last = ''; ; ) {
    const batch: RunRow[] = await db
      .selectFrom('automation_run')
      .selectAll()
      .where('status', 'in', ['queued', 'running', 'awaiting_approval'])
      .where('updated_at', '<=', since)
      .where('id', '>', last)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const [workspace, runs] of Map.groupBy(batch, ({ workspace_id }) => workspace_id)) {
      const ids = runs.flatMap(({ status, message_id }) => (status === 'awaiting_approval' ? (message_id ?? []) : []))
      const statuses = await replyStatuses(db, workspace, ids)
      yield* runs.filter(({ message_id }) => !isWaiting(statuses.get(message_id ?? '') ?? ''))
    }
    if (batch.length < batchSize) return
    last = batch.at(-1)?.id ?? ''
  }
}

/** Ends runs in the transaction in which their sync or evaluation run ends, and marks those that wait for a person. */
export async function onEvent(ctx: Context, tx: Db, { workspace, type, data }: DomainEvent): Promise<void> {
  if (type === 'approval.required' || type === 'connection.required' || type === 'input.required')
    await markWaiting(ctx, tx, workspace, String(data.message_id))
  if (type === 'knowledge_source.synced') {
    const { id, status, error } = data.sync as { id: string; status: string; error: string | null }
    await settleAll(ctx, tx, workspace, 'sync_id', id, {
      status: status === 'completed' ? 'succeeded' : 'failed',
      ...(status !== 'completed' && { code: 'sync_failed', error }),
    })
  }
  if (type === 'evaluation.finished')
    await settleAll(ctx, tx, workspace, 'evaluation_run_id', String(data.run_id), evaluated(data))
}

function evaluated({ status, verdict, summary, error }: Record<string, unknown>): Outcome {
  const { cost = 0, judge_cost = 0 } = (summary ?? {}) as { cost?: number; judge_cost?: number }
  if (status === 'completed' && verdict !== 'failed') return { status: 'succeeded', cost: cost + judge_cost }
  const reason =
    (error as string | null) ?? (status === 'completed' ? 'The verdict is "failed".' : `The run was ${status}.`)
  return { status: 'failed', code: 'evaluation_failed', error: reason, cost: cost + judge_cost }
}

async function settleAll(
  ctx: Context,
  tx: Db,
  workspace: string,
  column: 'sync_id' | 'evaluation_run_id',
  id: string,
  outcome: Outcome,
): Promise<void> {
  const runs: RunRow[] = await tx
    .selectFrom('automation_run')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where(column, '=', id)
    .where('status', '=', 'running')
    .execute()
  for (const run of runs) await settle(ctx, tx, run, outcome)
}
