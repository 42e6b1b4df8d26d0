import type { Caller, Context } from '../../kernel/context.ts'
import { unseenOf } from '../../kernel/unseen.ts'
import { dollars } from '../usage/cost.ts'
import { type AgentTotals, type Totals, totalNames } from './aggregation.ts'
import type { MessageStatistics } from './message-dataset.ts'
import { type Period, periodOf, stepStart, stepsOf } from './period.ts'
import type { AnalyticsQuery, ConversationAnalytics } from './schema.ts'
import * as store from './store.ts'
import { assignTopics } from './topics.ts'

/** A request assigns at most this many topics; a job does the rest. */
const maxTopicsPerRequest = 1000

export async function analyse(ctx: Context, who: Caller, query: AnalyticsQuery): Promise<ConversationAnalytics> {
  const period = periodOf(query, ctx.now())
  await assignTopics(ctx, maxTopicsPerRequest, who.workspace)
  const { agent_id: agentId, user_id: userId } = query
  const range = { from: period.start_date, to: period.end_date }
  const hasHiddenEvaluations = (await unseenOf(ctx, who, 'evl')).length > 0
  const messages = await store.messageStatistics(ctx, who.workspace, range, {
    ...(agentId !== undefined && { agentId }),
    ...(userId !== undefined && { userId }),
    withEvaluations: query.include_evaluations && !hasHiddenEvaluations,
    hiddenAgents: await unseenOf(ctx, who, 'agt'),
    hiddenTools: await unseenOf(ctx, who, 'rag', 'ret'),
    interval: period.interval,
  })
  const all = total(messages.agents)
  return {
    period,
    conversations: { total: all.started, active: all.active, completed: all.completed },
    messages: {
      total: all.messages,
      user: all.questions,
      assistant: all.answers,
      average_per_conversation:
        messages.activeConversations === 0 ? 0 : rounded(all.messages / messages.activeConversations),
    },
    users: { unique: messages.uniqueUsers },
    latency_ms: messages.latency,
    time_to_first_token_ms: messages.firstToken,
    ...metrics(all),
    tools: messages.tools.map(({ average_latency_ms: average, ...tool }) => ({
      ...tool,
      average_latency_ms: average === null ? null : rounded(average),
    })),
    by_agent: await byAgent(ctx, who, messages.agents),
    by_topic: messages.topics,
    timeline: timeline(period, messages),
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

async function byAgent(ctx: Context, who: Caller, agents: AgentTotals[]): Promise<ConversationAnalytics['by_agent']> {
  const names = await store.agentNames(ctx, who.workspace)
  const rows = agents
    .filter((totals) => totals.agent_id !== '')
    .map((totals) => ({
      agent_id: totals.agent_id,
      name: names.get(totals.agent_id) ?? null,
      conversations: totals.started,
      messages: totals.messages,
      ...metrics(totals),
    }))
  return rows.sort((a, b) => b.messages - a.messages || (a.agent_id < b.agent_id ? -1 : 1))
}

const noPercentiles = { p50: null, p95: null, p99: null }

function timeline(period: Period, { steps, latencyByStep }: MessageStatistics): ConversationAnalytics['timeline'] {
  const line = new Map(
    stepsOf(period).map((start) => [start, { start, conversations: 0, messages: 0, tokens: 0, nano: 0, errors: 0 }]),
  )
  for (const step of steps) {
    const point = line.get(stepStart(step.at, period.interval))
    if (!point) continue
    point.conversations += step.started
    point.messages += step.messages
    point.tokens += step.input + step.output
    point.nano += step.cost
    point.errors += step.errors
  }
  return [...line.values()].map(({ nano, ...point }) => ({
    ...point,
    cost: dollars(nano),
    latency_ms: latencyByStep[point.start] ?? noPercentiles,
  }))
}
