import { sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { day, timestamp } from '../../kernel/time.ts'
import { parsePeriod, periodSteps, stepStart } from '../analytics/period.ts'
import { readExchanges } from '../conversations/scored-replies.ts'
import { wilson } from '../evaluations/statistics.ts'
import { reviewedReplies } from '../reviews/service.ts'
import { spentBetween } from '../usage/allowance.ts'
import { isReviewed } from './sample.ts'
import type { Agreement, MonitorSummary, ScorerSummary, SummaryQuery } from './schema.ts'
import { monitors } from './service.ts'
import { type ReplyState, scoreTable } from './store.ts'

/** The scores of a monitor, each with its reason if the caller may see the reply. */
export async function listScores(ctx: Context, who: Caller, id: string, query: ListQuery): Promise<Page<object>> {
  await monitors.get(ctx, who, id)
  const ofMonitor = { ...query, fields: undefined }
  const page = await scoreTable.list(ctx.longReads, who.workspace, ofMonitor, (rows) =>
    rows.where('monitor_id', '=', id),
  )
  const exchanges = await readExchanges(ctx, who, [...new Set(page.rows.map(({ message_id }) => message_id))])
  const rows = page.rows.map((row) => {
    const scores = exchanges.get(row.message_id)?.reply.scores ?? []
    const shown = scores.find(({ monitor_id, scorer }) => monitor_id === id && scorer === row.scorer)
    return { ...row, reason: shown?.reason ?? null }
  })
  return { ...page, rows }
}

interface Sums {
  scorer: string
  agent_version: number | null
  label: string | null
  at: string
  n: number
  sum: number
  squares: number
  passed: number
}

export async function summarize(ctx: Context, who: Caller, id: string, query: SummaryQuery): Promise<MonitorSummary> {
  await monitors.get(ctx, who, id)
  const period = parsePeriod({ ...query, include_evaluations: false }, ctx.now())
  const { start_date, end_date, interval } = period
  const [from, to] = [`${start_date}T00:00:00Z`, timestamp(Date.parse(end_date) + day)]
  // Counted first, so that every counted reply has its scores below.
  const replies = await countReplies(ctx, who, id, from, to)
  const step = sql<string>`substr(replied_at, 1, ${sql.lit(interval === 'hour' ? 13 : 10)})`
  const rows = await ctx.longReads
    .selectFrom('monitor_score')
    .select((is) => [
      'scorer',
      'agent_version',
      'label',
      step.as('at'),
      is.fn.countAll<number>().as('n'),
      is.fn.sum<number>('score').as('sum'),
      is.fn.sum<number>(is('score', '*', is.ref('score'))).as('squares'),
      is.fn.countAll<number>().filterWhere('passed', '=', true).as('passed'),
    ])
    .where('workspace_id', '=', who.workspace)
    .where('monitor_id', '=', id)
    .where('replied_at', '>=', from)
    .where('replied_at', '<', to)
    .groupBy(['scorer', 'agent_version', 'label', step])
    .execute()
  const sums: Sums[] = rows.map(({ n, sum, squares, passed, ...key }) => ({
    ...key,
    n: Number(n),
    sum: Number(sum),
    squares: Number(squares),
    passed: Number(passed),
  }))
  const versions = Map.groupBy(sums, ({ agent_version }) => agent_version)
  const labels = Map.groupBy(sums, ({ label }) => label ?? '')
  labels.delete('')
  const steps = Map.groupBy(sums, ({ at }) => stepStart(at, interval))
  return {
    period,
    replies,
    cost: await spentBetween(ctx, id, start_date, end_date),
    scorers: byScorer(sums),
    by_version: [...versions]
      .sort(([one], [other]) => (other ?? 0) - (one ?? 0))
      .map(([agent_version, of]) => ({ agent_version, scorers: byScorer(of) })),
    by_label: [...labels]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([label, of]) => ({ label, scorers: byScorer(of) })),
    timeline: periodSteps(period).map((start) => ({ start, scorers: byScorer(steps.get(start) ?? []) })),
  }
}

async function countReplies(ctx: Context, who: Caller, id: string, from: string, to: string) {
  const rows = await ctx.longReads
    .selectFrom('monitor_reply')
    .select(['state', (is) => is.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', who.workspace)
    .where('monitor_id', '=', id)
    .where('replied_at', '>=', from)
    .where('replied_at', '<', to)
    .groupBy('state')
    .execute()
  const count = (...states: ReplyState[]) =>
    rows.filter(({ state }) => states.includes(state)).reduce((sum, row) => sum + Number(row.count), 0)
  return {
    scored: count('scored'),
    over_budget: count('over_budget'),
    hidden: count('hidden'),
    failed: count('failed'),
    pending: count('waiting', 'queued'),
  }
}

const z95 = 1.959_963_984_540_054

function byScorer(sums: Sums[]): ScorerSummary[] {
  const scorers = Map.groupBy(sums, ({ scorer }) => scorer)
  return [...scorers.keys()].sort().map((scorer) => {
    const all = scorers.get(scorer) ?? []
    const total = (field: 'n' | 'sum' | 'squares' | 'passed') => all.reduce((sum, each) => sum + each[field], 0)
    const [n, passed] = [total('n'), total('passed')]
    const ci95 = n < 2 ? null : meanInterval(n, total('sum'), total('squares'))
    return { scorer, n, mean: total('sum') / n, ci95, passed, pass_rate: passed / n }
  })
}

/** Scores that are all 0 or 1 are a share: four of four say less than their variance of 0. */
function meanInterval(n: number, sum: number, squares: number): [number, number] | null {
  if (sum === squares) return wilson(sum, n)
  const mean = sum / n
  const variance = Math.max(0, (squares - n * mean * mean) / (n - 1))
  const reach = z95 * Math.sqrt(variance / n)
  return [Math.max(0, mean - reach), Math.min(1, mean + reach)]
}

/**
 * How often the judge and people agree. The judge finds a reply good if all its judges do; a monitor without one is judged
 * by all of its scorers. Only replies of the review sample and those that somebody chose by hand count: among low scores and
 * thumbs down the judge is wrong more often than usual.
 */
export async function agreement(ctx: Context, who: Caller, id: string): Promise<Agreement> {
  const { agent_id, review_rate } = await monitors.get(ctx, who, id)
  const verdicts = await reviewedReplies(ctx.longReads, who.workspace, agent_id)
  const rows = await ctx.longReads
    .selectFrom('monitor_score')
    .select(['message_id', 'scorer', 'passed'])
    .where('workspace_id', '=', who.workspace)
    .where('monitor_id', '=', id)
    .execute()
  const judged = rows.filter(({ scorer }) => scorer.startsWith('llm_judge'))
  const byReply = Map.groupBy(judged.length > 0 ? judged : rows, ({ message_id }) => message_id)
  const pairs = [...byReply].flatMap(([message, scores]) => {
    const { verdict, reason } = verdicts.get(message) ?? {}
    const isDrawn = reason === 'manual' || isReviewed(message, review_rate)
    return verdict && isDrawn
      ? [{ judge: scores.every(({ passed }) => Boolean(passed)), person: verdict === 'good' }]
      : []
  })
  return agreementIn(pairs)
}

function agreementIn(pairs: { judge: boolean; person: boolean }[]): Agreement {
  const n = pairs.length
  if (n === 0) return { n, agreement: null, kappa: null, ci95: null }
  const share = (of: (pair: { judge: boolean; person: boolean }) => boolean) => pairs.filter(of).length / n
  const agreed = share(({ judge, person }) => judge === person)
  const [judge, person] = [share((pair) => pair.judge), share((pair) => pair.person)]
  const byChance = judge * person + (1 - judge) * (1 - person)
  return {
    n,
    agreement: agreed,
    kappa: byChance === 1 ? null : (agreed - byChance) / (1 - byChance),
    ci95: wilson(agreed * n, n),
  }
}
