import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { dollars } from '../../usage/cost.ts'
import { chosenRun, getRun } from '../runs/service.ts'
import { caseOutcomes, isActive, type RunRow, runResults } from '../runs/store.ts'
import { summarize } from '../runs/summary.ts'
import type { Comparison, Result, ResultsQuery, Score, Summary } from '../schema.ts'
import { type Compared, compare } from './comparison.ts'

type Outcome = NonNullable<ResultsQuery['outcome']>

export interface ResultsView {
  run: RunRow
  summary: Summary
  results: Result[]
  comparison?: Comparison
  total: number
}

export async function results(ctx: Context, who: Caller, id: string, query: ResultsQuery): Promise<ResultsView> {
  const run = await chosenRun(ctx, who, id, query.run_id)
  const summary = await runSummary(ctx, run)
  const { rows, total } = await pageOfResults(ctx.db, run, query)
  if (query.compare_to === undefined) return { run, summary, results: rows, total }
  const comparison = await compareRuns(ctx, who, run, query.compare_to)
  const verdict = summary.verdict === 'passed' ? comparison.verdict : summary.verdict
  return { run, summary: { ...summary, verdict }, results: rows, comparison, total }
}

/** The summary is stored when a run ends. Until then it is computed from the results so far. */
const runSummary = async (ctx: Context, run: RunRow): Promise<Summary> =>
  isActive(run) || run.summary === null ? summarize(run, await caseOutcomes(ctx.db, run)) : run.summary

async function compareRuns(ctx: Context, who: Caller, run: RunRow, other: string): Promise<Comparison> {
  if (other === run.id) invalid('compare_to', 'is the same run; use an earlier one')
  const baseline = await getRun(ctx, who, run.evaluation_id, other)
  const [before, after] = [await compared(ctx.db, baseline), await compared(ctx.db, run)]
  const changed = compare({ id: baseline.id, cases: before }, after)
  return { ...changed, changed: await withInputs(ctx.db, run, changed.changed) }
}

const finishedResults = (db: Db, run: RunRow) =>
  db
    .selectFrom('evaluation_result as result')
    .innerJoin('evaluation_case as case', (join) =>
      join
        .onRef('case.position', '=', 'result.position')
        .on('case.evaluation_id', '=', run.evaluation_id)
        .on('case.version', '=', run.cases_version),
    )
    .where('result.run_id', '=', run.id)
    .where('result.workspace_id', '=', run.workspace_id)
    .where('result.outcome', '!=', 'pending')

async function compared(db: Db, run: RunRow): Promise<Compared[]> {
  const rows = await finishedResults(db, run)
    .select(['result.position', 'result.outcome', 'result.scores', 'case.fingerprint'])
    .orderBy('result.position')
    .execute()
  return rows.map((row) => ({
    ...row,
    outcome: row.outcome as Compared['outcome'],
    scores: JSON.parse(row.scores) as Score[],
  }))
}

async function withInputs(
  db: Db,
  run: RunRow,
  changed: Omit<Comparison['changed'][number], 'input'>[],
): Promise<Comparison['changed']> {
  if (changed.length === 0) return []
  const rows = await db
    .selectFrom('evaluation_case')
    .select(['position', 'input'])
    .where('workspace_id', '=', run.workspace_id)
    .where('evaluation_id', '=', run.evaluation_id)
    .where('version', '=', run.cases_version)
    .where(
      'position',
      'in',
      changed.map((each) => each.case),
    )
    .execute()
  const inputs = new Map(rows.map(({ position, input }) => [position, input]))
  return changed.map((each) => ({ ...each, input: inputs.get(each.case) ?? '' }))
}

const resultsWith = (db: Db, run: RunRow, outcome: Outcome | undefined) => {
  const done = finishedResults(db, run)
  return outcome === undefined ? done : done.where('result.outcome', '=', outcome)
}

const columns = [
  'result.position',
  'case.input',
  'case.expected_output',
  'case.metadata',
  'result.actual_output',
  'result.outcome',
  'result.scores',
  'result.error',
  'result.latency_ms',
  'result.tokens',
  'result.cost_nano',
  'result.unpriced_requests',
  'result.conversation_id',
] as const

async function pageOfResults(
  db: Db,
  run: RunRow,
  { page, limit, outcome }: Pick<ResultsQuery, 'page' | 'limit' | 'outcome'>,
): Promise<{ rows: Result[]; total: number }> {
  const all = runResults(db, run)
  const counted = outcome === undefined ? all.where('outcome', '!=', 'pending') : all.where('outcome', '=', outcome)
  const { total } = await counted.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const offset = (page - 1) * limit
  if (offset >= Number(total)) return { rows: [], total: Number(total) }
  const rows = await resultsWith(db, run, outcome)
    .select(columns)
    .orderBy('result.position')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows: rows.map(present), total: Number(total) }
}

const batchSize = 500

/** All results in order, in batches. */
export async function* allResults(db: Db, run: RunRow, outcome: Outcome | undefined): AsyncGenerator<Result[]> {
  let after = -1
  for (;;) {
    const rows = await resultsWith(db, run, outcome)
      .select(columns)
      .where('result.position', '>', after)
      .orderBy('result.position')
      .limit(batchSize)
      .execute()
    if (rows.length === 0) return
    yield rows.map(present)
    after = rows.at(-1)?.position ?? after
  }
}

interface ResultRow {
  position: number
  input: string
  expected_output: string | null
  metadata: string
  actual_output: string | null
  outcome: string
  scores: string
  error: string | null
  latency_ms: number | null
  tokens: number
  cost_nano: number
  unpriced_requests: number
  conversation_id: string | null
}

const present = (row: ResultRow): Result => ({
  case: row.position,
  input: row.input,
  expected_output: row.expected_output,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
  actual_output: row.actual_output,
  passed: row.outcome === 'passed',
  scores: JSON.parse(row.scores) as Score[],
  ...(row.error !== null && { error: row.error }),
  latency_ms: row.latency_ms,
  tokens: row.tokens,
  cost: dollars(row.cost_nano),
  unpriced_requests: row.unpriced_requests,
  ...(row.conversation_id !== null && { conversation_id: row.conversation_id }),
})
