import { sql } from 'kysely'
import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound, Problem } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import { timestamp } from '../../../kernel/time.ts'
import { addTargetBasis } from '../rests-on.ts'
import type { RunStatus } from '../schema.ts'
import { caseSet, type EvaluationRow, findEvaluation, lockEvaluation, lockIfThere } from '../service.ts'
import { pin } from './pin.ts'
import {
  activeRun,
  activeStatuses,
  caseOutcomes,
  decodeRun,
  findRun,
  newestRun,
  pageOfRuns,
  presentRun,
  type RunRow,
} from './store.ts'
import { summarize } from './summary.ts'

export const queue = 'evaluations.run'

export interface RunPayload {
  evaluation: string
  run: string
}

/** Starts a run with the current cases, scorers and target. An evaluation has one active run at a time. */
export const startRun = (
  ctx: Context,
  who: Caller,
  id: string,
  db: Db = ctx.db,
  targetVersion?: number,
): Promise<RunRow> =>
  inTransaction(db, async (tx) => {
    const evaluation = await lockEvaluation(tx, who, id)
    const running = await activeRun(tx, who.workspace, id)
    if (running) {
      throw new Problem('already_running', 'This evaluation already has an active run. Wait for it or cancel it.', {
        details: [{ path: 'run_id', message: running.id }],
      })
    }
    const run = await insertRun(ctx, tx, who, evaluation, targetVersion)
    await insertPending(tx, who, evaluation, run)
    const jobId = await enqueueRun(ctx, tx, run, 0)
    await ctx.audit.record(tx, who, { action: 'run', kind: 'evaluation', id, part: run.id })
    return { ...run, job_id: jobId }
  })

async function insertRun(
  ctx: Context,
  tx: Db,
  who: Caller,
  evaluation: EvaluationRow,
  targetVersion: number | undefined,
): Promise<RunRow> {
  const now = timestamp(ctx.now())
  const { scorers, target, version } = await pin(tx, who, evaluation, targetVersion)
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
  const run = decodeRun(cells)
  await addTargetBasis(tx, who, evaluation, run)
  return run
}

/** Inserts a pending result for every case. */
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
      'unpriced_requests',
      'judge_unpriced_requests',
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
          none.as('unpriced_requests'),
          none.as('judge_unpriced_requests'),
        ])
        .where('workspace_id', '=', who.workspace)
        .where('evaluation_id', '=', evaluation.id)
        .where('version', '=', version),
    )
    .execute()
}

/** Enqueues the job that runs the pending cases. */
export async function enqueueRun(ctx: Context, tx: Db, run: RunRow, delay: number): Promise<string> {
  const payload: RunPayload = { evaluation: run.evaluation_id, run: run.id }
  const id = await ctx.jobs.enqueue(tx, queue, { workspace: run.workspace_id, payload, delay })
  await tx
    .updateTable('evaluation_run')
    .set({ job_id: id })
    .where('workspace_id', '=', run.workspace_id)
    .where('id', '=', run.id)
    .execute()
  return id
}

export async function getRun(ctx: Context, who: Caller, id: string, runId: string): Promise<RunRow> {
  await findEvaluation(ctx, who, id)
  return (await findRun(ctx.db, who.workspace, id, runId)) ?? notFound('run', runId)
}

/** The newest run that has ended, of those with this version of the target. */
export async function lastFinishedRun(
  db: Db,
  who: Pick<Caller, 'workspace'>,
  evaluation: string,
  version: number,
): Promise<RunRow | undefined> {
  const cells = await db
    .selectFrom('evaluation_run')
    .selectAll()
    .where((is) => is.and({ workspace_id: who.workspace, evaluation_id: evaluation, target_version: version }))
    .where('status', 'not in', activeStatuses)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return cells && decodeRun(cells)
}

/** The run with this id, or the newest one. */
export async function chosenRun(ctx: Context, who: Caller, id: string, runId: string | undefined): Promise<RunRow> {
  if (runId !== undefined) return getRun(ctx, who, id, runId)
  await findEvaluation(ctx, who, id)
  const newest = await newestRun(ctx.db, who.workspace, id)
  if (!newest) throw new Problem('not_found', 'This evaluation has no runs yet. Start one with POST /run.')
  return newest
}

export async function listRuns(ctx: Context, who: Caller, id: string, query: ListQuery): Promise<Page<RunRow>> {
  await findEvaluation(ctx, who, id)
  return pageOfRuns(ctx.db, who.workspace, id, query)
}

/** Cancels an active run and keeps its results. A run that has ended is not changed. */
export async function cancelRun(ctx: Context, who: Caller, id: string, runId: string): Promise<RunRow> {
  const run = await getRun(ctx, who, id, runId)
  const ended = await endRun(ctx, run, 'cancelled')
  if (ended?.job_id) await ctx.jobs.cancel(who.workspace, ended.job_id)
  return ended ?? getRun(ctx, who, id, runId)
}

/** Ends a run: status, summary and event are one transaction. Returns undefined if it has already ended. */
export const endRun = (
  ctx: Context,
  run: RunRow,
  status: Exclude<RunStatus, 'queued' | 'running'>,
  error: string | null = null,
): Promise<RunRow | undefined> =>
  inTransaction(ctx.db, async (tx) => {
    const who = { workspace: run.workspace_id }
    const evaluation = await lockIfThere(tx, who, run.evaluation_id)
    if (!evaluation) return undefined
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
    const summary = summarize(ended, await caseOutcomes(tx, run))
    await tx
      .updateTable('evaluation_run')
      .set({ summary: JSON.stringify(summary) })
      .where('workspace_id', '=', run.workspace_id)
      .where('id', '=', run.id)
      .execute()
    const finished = { ...ended, summary }
    // Agents that the target asks may have got other tools since the run started.
    await addTargetBasis(tx, who, evaluation, run)
    await ctx.events.publish(tx, {
      workspace: run.workspace_id,
      type: 'evaluation.finished',
      data: finishedEvent(finished),
    })
    return finished
  })

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
