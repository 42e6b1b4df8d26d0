import type { Caller, Context } from '../../kernel/context.ts'
import { findUnseen } from '../../kernel/unseen.ts'
import { agentNames } from '../agents/service.ts'
import {
  distinctCounts,
  durations,
  type StatisticsFilter,
  type StepDurations,
  type StepTotals,
  type Totals,
  toolStatistics,
  topicStatistics,
  totalNames,
  totalsByStep,
} from '../conversations/statistics/statistics.ts'
import { assignTopics } from '../conversations/statistics/topics.ts'
import { dollars } from '../usage/cost.ts'
import { type Period, parsePeriod, periodSteps, stepStart } from './period.ts'
import type { AnalyticsQuery, ConversationAnalytics } from './schema.ts'

/** A request assigns at most this many topics; a job assigns the others. */
const maxTopicsPerRequest = 1000

export async function analyse(ctx: Context, who: Caller, query: AnalyticsQuery): Promise<ConversationAnalytics> {
  const period = parsePeriod(query, ctx.now())
  await assignTopics(ctx, maxTopicsPerRequest, who.workspace)
  const filter = await toFilter(ctx, who, query, period)
  const byHour = period.interval === 'hour'
  const steps = await totalsByStep(ctx, filter, byHour)
  const spans = await durations(ctx, filter, byHour, (at) => stepStart(at, period.interval))
  const distinct = await distinctCounts(ctx, filter)
  const tools = await toolStatistics(ctx, filter)
  const all = total(steps)
  return {
    period,
    conversations: { total: all.started, active: all.active, completed: all.completed },
    messages: {
      total: all.messages,
      user: all.questions,
      assistant: all.answers,
      average_per_conversation: distinct.conversations === 0 ? 0 : rounded(all.messages / distinct.conversations),
    },
    users: { unique: distinct.users },
    latency_ms: spans.latency,
    time_to_first_token_ms: spans.firstToken,
    ...metrics(all),
    tools: tools.map(({ tool_id, name, calls, failures, timed, latency }) => ({
      tool_id: tool_id || null,
      name,
      calls,
      failures,
      average_latency_ms: timed === 0 ? null : rounded(latency / timed),
    })),
    by_agent: await byAgent(ctx, who, steps),
    by_topic: await topicStatistics(ctx, filter),
    timeline: timeline(period, steps, spans),
  }
}

async function toFilter(
  ctx: Context,
  who: Caller,
  { agent_id: agentId, user_id: userId, include_evaluations }: AnalyticsQuery,
  { start_date, end_date }: Period,
): Promise<StatisticsFilter> {
  const hasHiddenEvaluations = (await findUnseen(ctx, who, 'evl')).length > 0
  return {
    workspace: who.workspace,
    from: start_date,
    to: end_date,
    ...(agentId !== undefined && { agentId }),
    ...(userId !== undefined && { userId }),
    withEvaluations: include_evaluations && !hasHiddenEvaluations,
    hiddenAgents: await findUnseen(ctx, who, 'agt'),
    hiddenTools: await findUnseen(ctx, who, 'rag', 'ret'),
  }
}

function total(parts: Totals[]): Totals {
  const sum = Object.fromEntries(totalNames.map((name) => [name, 0])) as Totals
  for (const part of parts) for (const name of totalNames) sum[name] += part[name]
  return sum
}

const rounded = (value: number): number => Math.round(value * 100) / 100
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000)

const metrics = ({ input, output, cost, up, down, errors, replies }: Totals) => ({
  tokens: { input, output },
  cost: dollars(cost),
  feedback: { up, down, satisfaction_rate: up + down === 0 ? null : share(up, up + down) },
  errors: { total: errors, rate: share(errors, replies) },
})

async function byAgent(ctx: Context, who: Caller, steps: StepTotals[]): Promise<ConversationAnalytics['by_agent']> {
  const names = await agentNames(ctx, who.workspace)
  const rows = [...Map.groupBy(steps, ({ agent_id }) => agent_id)]
    .map(([agent_id, parts]) => ({ agent_id, totals: total(parts) }))
    .filter(({ agent_id, totals }) => agent_id !== '' && totalNames.some((name) => totals[name] !== 0))
    .map(({ agent_id, totals }) => ({
      agent_id,
      name: names.get(agent_id) ?? null,
      conversations: totals.started,
      messages: totals.messages,
      ...metrics(totals),
    }))
  return rows.sort((a, b) => b.messages - a.messages || (a.agent_id < b.agent_id ? -1 : 1))
}

const noPercentiles = { p50: null, p95: null, p99: null }

function timeline(
  period: Period,
  steps: StepTotals[],
  { latencyByStep }: StepDurations,
): ConversationAnalytics['timeline'] {
  const byStart = Map.groupBy(steps, ({ at }) => stepStart(at, period.interval))
  return periodSteps(period).map((start) => {
    const { started, messages, input, output, cost, errors } = total(byStart.get(start) ?? [])
    return {
      start,
      conversations: started,
      messages,
      tokens: input + output,
      cost: dollars(cost),
      errors,
      latency_ms: latencyByStep.get(start) ?? noPercentiles,
    }
  })
}
