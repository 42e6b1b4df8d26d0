import type { Caller, Context } from '../../kernel/context.ts'
import { dollars } from '../usage/cost.ts'
import { type AgentTotals, type Moment, type Totals, totalNames } from './counting.ts'
import { type Period, periodOf, stepStart, stepsOf } from './period.ts'
import type { AnalyticsQuery, ConversationAnalytics } from './schema.ts'
import * as store from './store.ts'
import { noteTopics } from './topics.ts'

/** How many questions get their topic while somebody waits; the rest follows by itself. */
const topicsWhileWaiting = 1000

export async function analyse(ctx: Context, who: Caller, query: AnalyticsQuery): Promise<ConversationAnalytics> {
  const period = periodOf(query, ctx.now())
  await noteTopics(ctx, topicsWhileWaiting, who.workspace)
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
  const [said, begun] = await Promise.all([store.messages(ctx, scope), store.conversations(ctx, scope)])
  const all = total(said.agents)
  return {
    period,
    conversations: {
      total: countOf(begun.agents),
      active: countOf(begun.agents.filter(({ status }) => status === 'active')),
      completed: countOf(begun.agents.filter(({ status }) => status === 'completed')),
    },
    messages: {
      total: all.shown,
      user: all.asked,
      assistant: all.answered,
      average_per_conversation: said.spokenIn === 0 ? 0 : rounded(all.shown / said.spokenIn),
    },
    users: { unique: said.users },
    latency_ms: said.latency,
    time_to_first_token_ms: said.firstToken,
    ...figures(all),
    tools: said.tools.map(({ average_latency_ms: average, ...tool }) => ({
      ...tool,
      average_latency_ms: average === null ? null : rounded(average),
    })),
    by_agent: await byAgent(ctx, who, said.agents, begun.agents),
    by_topic: said.topics,
    timeline: timeline(period, said.moments, begun.moments),
  }
}

function total(steps: Totals[]): Totals {
  const sum = Object.fromEntries(totalNames.map((name) => [name, 0])) as Totals
  for (const step of steps) for (const name of totalNames) sum[name] += step[name]
  return sum
}

const countOf = (rows: store.Begun[]): number => rows.reduce((sum, { conversations }) => sum + conversations, 0)

const rounded = (value: number): number => Math.round(value * 100) / 100
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000)

const figures = ({ input, output, cost, up, down, errors, replies }: Totals) => ({
  tokens: { input, output },
  cost: dollars(cost),
  feedback: { up, down, satisfaction_rate: up + down === 0 ? null : share(up, up + down) },
  errors: { total: errors, rate: share(errors, replies) },
})

async function byAgent(
  ctx: Context,
  who: Caller,
  totals: AgentTotals[],
  begun: store.Begun[],
): Promise<ConversationAnalytics['by_agent']> {
  const known = new Map(totals.map((row) => [row.agent_id, row]))
  const ids = [...new Set([...known.keys(), ...begun.map((row) => row.of)])].filter((id) => id !== '')
  const names = await store.agentNames(ctx, who.workspace)
  const rows = ids.map((id) => {
    const sums = known.get(id) ?? total([])
    return {
      agent_id: id,
      name: names.get(id) ?? null,
      conversations: countOf(begun.filter((row) => row.of === id)),
      messages: sums.shown,
      ...figures(sums),
    }
  })
  return rows.sort((a, b) => b.messages - a.messages || (a.agent_id < b.agent_id ? -1 : 1))
}

function timeline(period: Period, moments: Moment[], begun: store.Begun[]): ConversationAnalytics['timeline'] {
  const line = new Map(
    stepsOf(period).map((start) => [start, { start, conversations: 0, messages: 0, tokens: 0, nano: 0, errors: 0 }]),
  )
  for (const moment of moments) {
    const point = line.get(stepStart(moment.at, period.interval))
    if (!point) continue
    point.messages += moment.shown
    point.tokens += moment.input + moment.output
    point.nano += moment.cost
    point.errors += moment.errors
  }
  for (const row of begun) {
    const point = line.get(stepStart(row.of, period.interval))
    if (point) point.conversations += row.conversations
  }
  return [...line.values()].map(({ nano, ...point }) => ({ ...point, cost: dollars(nano) }))
}
