import type { Caller, Context } from '../../kernel/context.ts'
import { findUnseen } from '../../kernel/unseen.ts'
import { agentNames } from '../agents/service.ts'
import {
  type AgentTotals,
  distinctCounts,
  Histogram,
  type StatisticsFilter,
  type StepTotals,
  toolStatistics,
  topicStatistics,
  totalNames,
  totalsByAgent,
  totalsByStep,
  totalsByVersion,
} from '../conversations/statistics/statistics.ts'
import { assignTopics } from '../conversations/statistics/topics.ts'
import { dollars } from '../usage/cost.ts'
import { unpricedByAgent } from '../usage/unpriced.ts'
import { byLabel, byVersion, metrics, total } from './by-version.ts'
import { type Period, parsePeriod, periodSteps, stepStart } from './period.ts'
import type { AnalyticsQuery, ConversationAnalytics } from './schema.ts'

/** A request assigns at most this many topics; a job assigns the others. */
const maxTopicsPerRequest = 1000

export async function analyse(ctx: Context, who: Caller, query: AnalyticsQuery): Promise<ConversationAnalytics> {
  const period = parsePeriod(query, ctx.now())
  await assignTopics(ctx, maxTopicsPerRequest, who.workspace)
  const filter = await toFilter(ctx, who, query, period)
  const agents = await totalsByAgent(ctx, filter)
  const steps = toSteps(period, await totalsByStep(ctx, filter, period.interval === 'hour' ? 'hour' : 'day'))
  const distinct = await distinctCounts(ctx, filter)
  const versions = await totalsByVersion(ctx, filter)
  const tools = await toolStatistics(ctx, filter)
  const all = total(agents)
  const unpriced = await unpricedByAgent(ctx, filter)
  for (const hidden of filter.hiddenAgents) unpriced.delete(hidden)
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
    latency_ms: merged(steps.map(({ latency }) => latency)).percentiles(),
    time_to_first_token_ms: merged(agents.map((agent) => new Histogram(agent.first_token))).percentiles(),
    ...metrics(all),
    unpriced_requests: [...unpriced.values()].reduce((sum, each) => sum + each, 0),
    tools: tools.map(({ tool_id, name, calls, failures, timed, latency }) => ({
      tool_id: tool_id || null,
      name,
      calls,
      failures,
      average_latency_ms: timed === 0 ? null : rounded(latency / timed),
    })),
    by_agent: await byAgent(ctx, who, agents, unpriced),
    by_version: byVersion(versions),
    by_label: byLabel(versions),
    by_topic: await topicStatistics(ctx, filter),
    timeline: steps.map(({ start, totals, latency }) => ({
      start,
      conversations: totals.started,
      messages: totals.messages,
      tokens: totals.input + totals.output,
      cost: dollars(totals.cost),
      errors: totals.errors,
      latency_ms: latency.percentiles(),
    })),
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

const rounded = (value: number): number => Math.round(value * 100) / 100

async function byAgent(
  ctx: Context,
  who: Caller,
  agents: AgentTotals[],
  unpriced: ReadonlyMap<string, number>,
): Promise<ConversationAnalytics['by_agent']> {
  const names = await agentNames(ctx, who.workspace)
  const rows = agents
    .filter((totals) => totals.agent_id !== '' && totalNames.some((name) => totals[name] !== 0))
    .map(({ agent_id, ...totals }) => ({
      agent_id,
      name: names.get(agent_id) ?? null,
      conversations: totals.started,
      messages: totals.messages,
      ...metrics(totals),
      unpriced_requests: unpriced.get(agent_id) ?? 0,
    }))
  return rows.sort((a, b) => b.messages - a.messages || (a.agent_id < b.agent_id ? -1 : 1))
}

function toSteps(period: Period, totals: StepTotals[]) {
  const byStart = Map.groupBy(totals, ({ at }) => stepStart(at, period.interval))
  return periodSteps(period).map((start) => {
    const parts = byStart.get(start) ?? []
    return { start, totals: total(parts), latency: new Histogram(parts.map(({ latency }) => latency).join()) }
  })
}

function merged(histograms: Histogram[]): Histogram {
  const all = new Histogram()
  for (const histogram of histograms) all.addAll(histogram)
  return all
}
