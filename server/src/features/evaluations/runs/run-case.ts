import type { Caller, Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { Conflict } from '../../../kernel/store/commits.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { type CaseSet, findCase, type StoredCase } from '../cases/store.ts'
import type { Score } from '../schema.ts'
import { applyScorers } from '../scorers/apply.ts'
import { errorMessage, type Observation, type ScoringContext } from '../scorers/scorer.ts'
import { ScoringTab } from '../scorers/tab.ts'
import { countDone, findRun, type ResultCells, type RunRow, runResults } from './store.ts'
import { type Answer, type Attempt, targets } from './targets.ts'

const maxOutputLength = 100_000

export interface RunContext {
  ctx: Context
  who: Caller
  run: RunRow
  cases: CaseSet
  slowPatterns: Map<string, number>
  signal: AbortSignal
}

export const runContext = (ctx: Context, run: RunRow, signal: AbortSignal): RunContext => ({
  ctx,
  who: {
    workspace: run.workspace_id,
    role: 'editor',
    token: run.started_by,
    userId: null,
    groups: [],
    rateLimit: null,
  },
  run,
  cases: { workspace: run.workspace_id, evaluation: run.evaluation_id, version: run.cases_version },
  slowPatterns: new Map(),
  signal,
})

/** Runs, scores and stores one case. Returns false if the run cannot continue here: it has ended, or the service stops. */
export async function runCase(work: RunContext, position: number): Promise<boolean> {
  const { ctx, run, signal } = work
  const testCase = await findCase(ctx.db, work.cases, position)
  if (!testCase) return false // the evaluation was deleted
  const answer = await callTarget(work, testCase)
  signal.throwIfAborted()
  if (!answer) return false
  const judged = new ScoringTab(run.evaluation_id)
  const marks = await score(work, testCase, answer, judged)
  return store(work, testCase, answer, marks, judged, run)
}

async function callTarget(work: RunContext, testCase: StoredCase): Promise<Answer | null> {
  const { ctx, who, run, signal } = work
  const earlier = await runResults(ctx.db, run)
    .select('conversation_id')
    .where('position', '=', testCase.position)
    .executeTakeFirst()
  const attempt: Attempt = { ctx, who, run, testCase, conversationId: earlier?.conversation_id ?? null, signal }
  try {
    const answer = await targets[run.type](attempt)
    if (signal.aborted && answer) await billCancelled(ctx, run, answer.bills)
    return answer
  } catch (error) {
    signal.throwIfAborted()
    return { output: null, error: errorMessage(error), seen: null, conversationId: null, bills: [], statements: [] }
  }
}

interface Marks {
  scores: Score[]
  error: string | null
}

async function score(work: RunContext, testCase: StoredCase, answer: Answer, judged: ScoringTab): Promise<Marks> {
  const { run, signal } = work
  if (answer.error !== null || answer.seen === null) return { scores: [], error: answer.error ?? 'There is no answer.' }
  const seen: Observation = {
    input: testCase.input,
    expected: testCase.expected_output,
    metadata: testCase.metadata,
    output: answer.output ?? '',
    ...answer.seen,
  }
  const scoring: ScoringContext = {
    ctx: work.ctx,
    who: { ...work.who, tab: judged },
    signal,
    slowPatterns: work.slowPatterns,
  }
  try {
    const { scores, errors } = await applyScorers(run.scorers, seen, scoring)
    const texts = errors.map(({ scorer, message }) => `${scorer}: ${message}`)
    return { scores, error: texts.length > 0 ? texts.join(' ') : null }
  } catch (error) {
    if (signal.aborted) await billCancelled(work.ctx, run, billStatements(answer, judged))
    throw error
  }
}

/** Result, usage and progress are one transaction: after a crash a case is either finished or still pending. */
async function store(
  work: RunContext,
  testCase: StoredCase,
  answer: Answer,
  { scores, error }: Marks,
  judged: ScoringTab,
  run: RunRow,
): Promise<boolean> {
  const { ctx } = work
  const passed = error === null && scores.every((each) => each.passed)
  const result: Partial<ResultCells> = {
    outcome: error !== null ? 'error' : passed ? 'passed' : 'failed',
    actual_output: answer.output === null ? null : answer.output.slice(0, maxOutputLength).toWellFormed(),
    scores: JSON.stringify(scores),
    error: error?.slice(0, 2000).toWellFormed() ?? null,
    latency_ms: answer.seen?.latencyMs ?? null,
    tokens: answer.seen?.tokens ?? 0,
    cost_nano: answer.seen?.costNano ?? 0,
    judge_tokens: judged.tokens,
    judge_cost_nano: judged.costNano,
    unpriced_requests: answer.seen?.unpriced ?? 0,
    judge_unpriced_requests: judged.unpriced,
  }
  const pending = ctx.db
    .updateTable('evaluation_result')
    .where('workspace_id', '=', run.workspace_id)
    .where('run_id', '=', run.id)
    .where('position', '=', testCase.position)
    .where('outcome', '=', 'pending')
  const bills = billStatements(answer, judged)
  const statements: Statement[] = [
    statement(pending.set(withoutNul(result)), 1),
    countDone(ctx, run),
    ...bills,
    ...answer.statements,
  ]
  try {
    await ctx.commits.commit(statements)
    return true
  } catch (failure) {
    if (!(failure instanceof Conflict)) throw failure
    await billCancelled(ctx, run, bills)
    return false
  }
}

const billStatements = (answer: Answer, judged: ScoringTab): Statement[] => [...answer.bills, ...judged.statements]

/** Stores the usage of a cancelled case, which will not run again. */
async function billCancelled(ctx: Context, run: RunRow, bills: Statement[]): Promise<void> {
  if (bills.length === 0) return
  const now = await findRun(ctx.db, run.workspace_id, run.evaluation_id, run.id)
  if (now?.status !== 'cancelled') return
  await ctx.commits.commit(bills).catch((error) => {
    ctx.log.warn({ run: run.id, error: reason(error) }, 'usage of a cancelled case could not be stored')
  })
}

/** Postgres does not accept NUL in text, and models may return it. */
function withoutNul(cells: Partial<ResultCells>): Partial<ResultCells> {
  return Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
    ]),
  )
}
