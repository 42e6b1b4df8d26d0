import type { Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { resourceTable } from '../../../kernel/store/table.ts'
import { timestamp } from '../../../kernel/time.ts'
import { type EvaluationType, Run, type RunStatus, type Score, type Summary } from '../schema.ts'
import type { SettledScorer } from '../scorers/scorers.ts'

export interface RunCells {
  id: string
  workspace_id: string
  evaluation_id: string
  status: RunStatus
  done: number
  total: number
  name: string
  type: EvaluationType
  target_id: string
  target_version: number | null
  evaluation_version: number
  cases_version: number
  scorers: string
  concurrency: number
  pass_threshold: number
  /** The target as it was when the run started. */
  pinned: string
  started_by: string
  job_id: string | null
  /** How often the run was resumed since a case was last finished. */
  stalled: number
  summary: string
  error: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
  updated_at: string
}

type Outcome = 'pending' | 'passed' | 'failed' | 'error'

export interface ResultCells {
  workspace_id: string
  run_id: string
  position: number
  outcome: Outcome
  conversation_id: string | null
  actual_output: string | null
  scores: string
  error: string | null
  latency_ms: number | null
  tokens: number
  cost_nano: number
  judge_tokens: number
  judge_cost_nano: number
  /** The calls whose price was not known. */
  unpriced_requests: number
  judge_unpriced_requests: number
}

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    evaluation_run: RunCells
    evaluation_result: ResultCells
  }
}

export interface RunRow extends Omit<RunCells, 'scorers' | 'summary' | 'pinned'> {
  scorers: SettledScorer[]
  summary: Summary | null
  pinned: unknown
}

/** Summaries of earlier releases do not count the calls without a price. */
function decodeSummary(text: string): Summary | null {
  const summary = JSON.parse(text) as Summary | null
  return summary && { ...summary, unpriced_requests: summary.unpriced_requests ?? 0 }
}

export const decodeRun = (cells: RunCells): RunRow => ({
  ...cells,
  scorers: JSON.parse(cells.scorers) as SettledScorer[],
  summary: decodeSummary(cells.summary),
  pinned: JSON.parse(cells.pinned) as unknown,
})

export function presentRun(row: RunRow): Run {
  const { done, total, workspace_id, name, cases_version, pinned, job_id, stalled, ...shown } = row
  return { ...shown, progress: { done, total }, ...pinnedTarget(row) }
}

/** Names the pinned target: an agent, a model, or a tool with its sources. */
function pinnedTarget({ pinned, type }: RunRow): Pick<Run, 'target_name' | 'model_id'> {
  const target = pinned as (PinnedTarget & { tool?: PinnedTarget }) | null
  const { id = null, name = null, resolved_model_id = null } = target?.tool ?? target ?? {}
  return { target_name: name, model_id: type === 'model' ? id : resolved_model_id }
}

interface PinnedTarget {
  id?: string
  name?: string
  resolved_model_id?: string | null
}

export const activeStatuses = ['queued', 'running'] as const
export const isActive = ({ status }: Pick<RunRow, 'status'>): boolean => status === 'queued' || status === 'running'

const runsOfEvaluation = (db: Db, workspace: string, evaluation: string) =>
  db.selectFrom('evaluation_run').where('workspace_id', '=', workspace).where('evaluation_id', '=', evaluation)

export async function findRun(db: Db, workspace: string, evaluation: string, id: string): Promise<RunRow | undefined> {
  const cells = await runsOfEvaluation(db, workspace, evaluation).selectAll().where('id', '=', id).executeTakeFirst()
  return cells && decodeRun(cells)
}

export async function newestRun(db: Db, workspace: string, evaluation: string): Promise<RunRow | undefined> {
  const cells = await runsOfEvaluation(db, workspace, evaluation)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return cells && decodeRun(cells)
}

export async function activeRun(db: Db, workspace: string, evaluation: string): Promise<RunRow | undefined> {
  const cells = await runsOfEvaluation(db, workspace, evaluation)
    .selectAll()
    .where('status', 'in', activeStatuses)
    .executeTakeFirst()
  return cells && decodeRun(cells)
}

export const computedFields = ['progress', 'target_name', 'model_id'] as const

const runs = resourceTable<typeof Run, { pinned: string }>({
  name: 'evaluation_run',
  shape: Run,
  computed: [...computedFields],
})

export async function pageOfRuns(
  db: Db,
  workspace: string,
  evaluation: string,
  query: ListQuery,
): Promise<Page<RunRow>> {
  const { rows, total } = await runs.list(db, workspace, query, (all) => all.where('evaluation_id', '=', evaluation))
  return { rows: rows.map((row) => ({ ...row, pinned: JSON.parse(row.pinned) }) as unknown as RunRow), total }
}

export type RunKey = Pick<RunRow, 'id' | 'workspace_id'>

export const runResults = (db: Db, run: RunKey) =>
  db.selectFrom('evaluation_result').where('workspace_id', '=', run.workspace_id).where('run_id', '=', run.id)

export async function pendingPositions(db: Db, run: RunKey): Promise<number[]> {
  const rows = await runResults(db, run)
    .select('position')
    .where('outcome', '=', 'pending')
    .orderBy('position')
    .execute()
  return rows.map(({ position }) => position)
}

/** The result of a finished case, the input of summaries. */
export interface CaseOutcome extends Pick<ResultCells, (typeof figures)[number]> {
  outcome: Exclude<Outcome, 'pending'>
  scores: Score[]
}
const figures = [
  'position',
  'latency_ms',
  'tokens',
  'cost_nano',
  'judge_tokens',
  'judge_cost_nano',
  'unpriced_requests',
  'judge_unpriced_requests',
] as const

export async function caseOutcomes(db: Db, run: RunKey): Promise<CaseOutcome[]> {
  const rows = await runResults(db, run)
    .select([...figures, 'outcome', 'scores'])
    .where('outcome', '!=', 'pending')
    .orderBy('position')
    .execute()
  return rows.map((row) => ({ ...row, scores: JSON.parse(row.scores) as Score[] }) as CaseOutcome)
}

/** Counts a finished case. Fails with a conflict if the run has ended. */
export function countDone(ctx: Context, run: RunKey): Statement {
  const change = ctx.db
    .updateTable('evaluation_run')
    .set((is) => ({ done: is('done', '+', 1), stalled: 0, updated_at: timestamp(ctx.now()) }))
    .where('id', '=', run.id)
    .where('workspace_id', '=', run.workspace_id)
    .where('status', '=', 'running')
  return statement(change, 1)
}
