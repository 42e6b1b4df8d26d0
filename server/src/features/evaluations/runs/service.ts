import { sql } from 'kysely'
import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound, Problem } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import { timestamp } from '../../../kernel/time.ts'
import { summarise } from '../results/summary.ts'
import type { RunStatus } from '../schema.ts'
import { caseSet, type EvaluationRow, findEvaluation, lockEvaluation } from '../service.ts'
import { pin } from './pin.ts'
import {
  activeRun,
  activeStatuses,
  decodeRun,
  findRun,
  newestRun,
  pageOfRuns,
  presentRun,
  type RunRow,
  tallies,
} from './store.ts'

export const queue = 'evaluations.run'

export interface RunPayload {
  evaluation: string
  run: string
}

/** Starts a run with the cases, the scorers and the target as they are now. One at a time for each evaluation. */
export const startRun = (ctx: Context, who: Caller, id: string): Promise<RunRow> =>
  inTransaction(ctx.db, async (tx) => {
    const evaluation = await lockEvaluation(tx, who, id)
    const running = await activeRun(tx, who.workspace, id)
    if (running) {
      throw new Problem('already_running', 'A run of this evaluation is going on. Wait for it, or cancel it.', {
        details: [{ path: 'run_id', message: running.id }],
      })
    }
    const run = await insertRun(ctx, tx, who, evaluation)
    await insertPending(tx, who, evaluation, run)
    const jobId = await enqueueRun(ctx, tx, run, 0)
    return { ...run, job_id: jobId }
  })

async function insertRun(ctx: Context, tx: Db, who: Caller, evaluation: EvaluationRow): Promise<RunRow> {
  const now = timestamp(ctx.now())
  const { scorers, target, version } = await pin(tx, who, evaluation)
  const cells = {
    id: ctx.newId('run'),
    workspace_id: who.workspace,
    evaluation_id: evaluation.id,
    status: 'queued' as const,
    done: 0,
    total: evaluation.test_case_count,
    name: evaluation.name,
    type: evaluation.type,
    target_id: evaluation.target_id,
    target_version: version,
    evaluation_version: evaluation.revision,
    cases_version: evaluation.cases_version,
    scorers: JSON.stringify(scorers),
    concurrency: evaluation.concurrency,
    pass_threshold: evaluation.pass_threshold,
    pinned: JSON.stringify(target),
    started_by: who.token,
    job_id: null,
    stalled: 0,
    summary: 'null',
    error: null,
    created_at: now,
    started_at: null,
    finished_at: null,
    updated_at: now,
  }
  await tx.insertInto('evaluation_run').values(cells).execute()
  return decodeRun(cells)
}

/** A result that is still to come for every case, in one statement. */
async function insertPending(tx: Db, who: Caller, evaluation: EvaluationRow, run: RunRow): Promise<void> {
  const { version } = caseSet(who, evaluation)
  const none = sql<number>`0`
  await tx
    .insertInto('evaluation_result')
    .columns([
      'workspace_id',
      'run_id',
      'position',
      'outcome',
      'scores',
      'tokens',
      'cost_nano',
      'judge_tokens',
      'judge_cost_nano',
    ])
    .expression(
      tx
        .selectFrom('evaluation_case')
        .select([
          'workspace_id',
          sql<string>`cast(${run.id} as text)`.as('run_id'),
          'position',
          sql<'pending'>`'pending'`.as('outcome'),
          sql<string>`'[]'`.as('scores'),
          none.as('tokens'),
          none.as('cost_nano'),
          none.as('judge_tokens'),
          none.as('judge_cost_nano'),
        ])
        .where('workspace_id', '=', who.workspace)
        .where('evaluation_id', '=', evaluation.id)
        .where('version', '=', version),
    )
    .execute()
}

/** Makes the job that carries a run on. */
export async function enqueueRun(ctx: Context, tx: Db, run: RunRow, delay: number): Promise<string> {
  const payload: RunPayload = { evaluation: run.evaluation_id, run: run.id }
  const id = await ctx.jobs.enqueue(tx, queue, { workspace: run.workspace_id, payload, delay })
  await tx.updateTable('evaluation_run').set({ job_id: id }).where('id', '=', run.id).execute()
  return id
}

export async function getRun(ctx: Context, who: Caller, id: string, runId: string): Promise<RunRow> {
  await findEvaluation(ctx, who, id)
  return (await findRun(ctx.db, who.workspace, id, runId)) ?? notFound('run', runId)
}

/** The run with that id, or the newest one. */
export async function chosenRun(ctx: Context, who: Caller, id: string, runId: string | undefined): Promise<RunRow> {
  if (runId !== undefined) return getRun(ctx, who, id, runId)
  await findEvaluation(ctx, who, id)
  const newest = await newestRun(ctx.db, who.workspace, id)
  if (!newest) throw new Problem('not_found', 'This evaluation has not been run yet. POST to its /run first.')
  return newest
}

export async function listRuns(ctx: Context, who: Caller, id: string, query: ListQuery): Promise<Page<RunRow>> {
  await findEvaluation(ctx, who, id)
  return pageOfRuns(ctx.db, who.workspace, id, query)
}

/** Stops a run that goes on; what is done stays. One that has ended stays as it is. */
export async function cancelRun(ctx: Context, who: Caller, id: string, runId: string): Promise<RunRow> {
  const run = await getRun(ctx, who, id, runId)
  const ended = await endRun(ctx, run, 'cancelled')
  if (ended?.job_id) await ctx.jobs.cancel(who.workspace, ended.job_id)
  return ended ?? getRun(ctx, who, id, runId)
}

/** The end of a run: its state, its summary and the event are one. Nothing when it has ended already. */
export const endRun = (
  ctx: Context,
  run: RunRow,
  status: Exclude<RunStatus, 'queued' | 'running'>,
  error: string | null = null,
): Promise<RunRow | undefined> =>
  inTransaction(ctx.db, async (tx) => {
    const now = timestamp(ctx.now())
    const cells = await tx
      .updateTable('evaluation_run')
      .set({ status, error, finished_at: now, updated_at: now })
      .where('id', '=', run.id)
      .where('workspace_id', '=', run.workspace_id)
      .where('status', 'in', activeStatuses)
      .returningAll()
      .executeTakeFirst()
    if (!cells) return undefined
    const ended = decodeRun(cells)
    const summary = summarise(ended, await tallies(tx, run.id))
    await tx
      .updateTable('evaluation_run')
      .set({ summary: JSON.stringify(summary) })
      .where('id', '=', run.id)
      .execute()
    const finished = { ...ended, summary }
    await ctx.events.publish(tx, {
      workspace: run.workspace_id,
      type: 'evaluation.finished',
      data: finishedEvent(finished),
    })
    return finished
  })

/** What those who hear of it need to act on it. */
function finishedEvent(run: RunRow): Record<string, unknown> {
  const { id, status, progress, type, target_id, target_version, summary, error, created_at, started_at, finished_at } =
    presentRun(run)
  return {
    evaluation_id: run.evaluation_id,
    evaluation_name: run.name,
    run_id: id,
    status,
    verdict: summary?.verdict ?? null,
    progress,
    type,
    target_id,
    target_version,
    summary,
    error,
    created_at,
    started_at,
    finished_at,
  }
}
