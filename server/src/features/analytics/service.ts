import type { Caller, Context } from '../../kernel/context.ts'
import { dollars } from '../usage/cost.ts'
import { type AgentTotals, type StepTotals, type Totals, totalNames } from './aggregation.ts'
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
  const scope: store.Scope = {
    workspace: who.workspace,
    from: period.start_date,
    to: period.end_date,
    ...(agentId !== undefined && { agentId }),
    ...(userId !== undefined && { userId }),
    withEvaluations: query.include_evaluations,
    byHour: period.interval === 'hour',
  }
  const [messages, started] = await Promise.all([store.messages(ctx, scope), store.conversations(ctx, scope)])
  const all = total(messages.agents)
  return {
    period,
    conversations: {
      total: countOf(started.agents),
      active: countOf(started.agents.filter(({ status }) => status === 'active')),
      completed: countOf(started.agents.filter(({ status }) => status === 'completed')),
    },
    messages: {
      total: all.messages,
      user: all.questions,
      assistant: all.answers,
      average_per_conversation: messages.conversations === 0 ? 0 : rounded(all.messages / messages.conversations),
    },
    users: { unique: messages.uniqueUsers },
    latency_ms: messages.latency,
    time_to_first_token_ms: messages.firstToken,
    ...metrics(all),
    tools: messages.tools.map(({ average_latency_ms: average, ...tool }) => ({
      ...tool,
      average_latency_ms: average === null ? null : rounded(average),
    })),
    by_agent: await byAgent(ctx, who, messages.agents, started.agents),
    by_topic: messages.topics,
    timeline: timeline(period, messages.steps, started.steps),
  }
}

function total(parts: Totals[]): Totals {
  const sum = Object.fromEntries(totalNames.map((name) => [name, 0])) as Totals
  for (const part of parts) for (const name of totalNames) sum[name] += part[name]
  return sum
}

const countOf = (rows: store.StartedConversations[]): number =>
  rows.reduce((sum, { conversations }) => sum + conversations, 0)

const rounded = (value: number): number => Math.round(value * 100) / 100
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000)

const metrics = ({ input, output, cost, up, down, errors, replies }: Totals) => ({
  tokens: { input, output },
  cost: dollars(cost),
  feedback: { up, down, satisfaction_rate: up + down === 0 ? null : share(up, up + down) },
  errors: { total: errors, rate: share(errors, replies) },
})

async function byAgent(
  ctx: Context,
  who: Caller,
  totals: AgentTotals[],
  started: store.StartedConversations[],
): Promise<ConversationAnalytics['by_agent']> {
  const byId = new Map(totals.map((row) => [row.agent_id, row]))
  const ids = [...new Set([...byId.keys(), ...started.map((row) => row.key)])].filter((id) => id !== '')
  const names = await store.agentNames(ctx, who.workspace)
  const rows = ids.map((id) => {
    const sums = byId.get(id) ?? total([])
    return {
      agent_id: id,
      name: names.get(id) ?? null,
      conversations: countOf(started.filter((row) => row.key === id)),
      messages: sums.messages,
      ...metrics(sums),
    }
  })
  return rows.sort((a, b) => b.messages - a.messages || (a.agent_id < b.agent_id ? -1 : 1))
}

function timeline(
  period: Period,
  steps: StepTotals[],
  started: store.StartedConversations[],
): ConversationAnalytics['timeline'] {
  const line = new Map(
    stepsOf(period).map((start) => [start, { start, conversations: 0, messages: 0, tokens: 0, nano: 0, errors: 0 }]),
  )
  for (const step of steps) {
    const point = line.get(stepStart(step.at, period.interval))
    if (!point) continue
    point.messages += step.messages
    point.tokens += step.input + step.output
    point.nano += step.cost
    point.errors += step.errors
  }
  for (const row of started) {
    const point = line.get(stepStart(row.key, period.interval))
    if (point) point.conversations += row.conversations
  }
  return [...line.values()].map(({ nano, ...point }) => ({ ...point, cost: dollars(nano) }))
}
