import type { Caller, Context } from '../../kernel/context.ts'
import { dollars } from '../usage/cost.ts'
import { percentilesOf } from './percentiles.ts'
import { type Period, periodOf, stepStart, stepsOf } from './period.ts'
import type { AnalyticsQuery, ConversationAnalytics } from './schema.ts'
import * as store from './store.ts'
import { noteTopics } from './topics.ts'

/** How many questions get their topic while somebody waits; the rest follows by itself. */
const topicsWhileWaiting = 1000

export async function analyse(ctx: Context, who: Caller, query: AnalyticsQuery): Promise<ConversationAnalytics> {
  const period = periodOf(query, ctx.now())
  await noteTopics(ctx, topicsWhileWaiting, who.workspace)
  const scope: store.Scope = {
    workspace: who.workspace,
    from: `${period.start_date}T00:00:00Z`,
    to: `${period.end_date}T23:59:59Z`,
    agentId: query.agent_id,
    userId: query.user_id,
    withEvaluations: query.include_evaluations,
    byHour: period.interval === 'hour',
  }
  const [hours, begun, latency, firstToken, people, tools, topics] = await Promise.all([
    store.messagesByHour(ctx, scope).then((rows) => rows.map(inNumbers)),
    store.conversationsByHour(ctx, scope),
    store.durations(ctx, scope, 'latency_ms'),
    store.durations(ctx, scope, 'time_to_first_token_ms'),
    store.people(ctx, scope),
    store.toolCalls(ctx, scope),
    store.topics(ctx, scope),
  ])
  const all = total(hours)
  return {
    period,
    conversations: {
      total: countOf(begun),
      active: countOf(begun.filter(({ status }) => status === 'active')),
      completed: countOf(begun.filter(({ status }) => status === 'completed')),
    },
    messages: {
      total: all.shown,
      user: all.asked,
      assistant: all.answered,
      average_per_conversation: people.spokenIn === 0 ? 0 : rounded(all.shown / people.spokenIn),
    },
    users: { unique: people.users },
    latency_ms: percentilesOf(latency),
    time_to_first_token_ms: percentilesOf(firstToken),
    ...figures(all),
    tools: tools.map(({ tool_id, name, calls, failures, latency: average }) => ({
      tool_id,
      name,
      calls: Number(calls),
      failures: Number(failures),
      average_latency_ms: average === null ? null : rounded(Number(average)),
    })),
    by_agent: await byAgent(ctx, who, hours, begun),
    by_topic: topics.map(({ topic, conversations, messages }) => ({
      topic,
      conversations: Number(conversations),
      messages: Number(messages),
    })),
    timeline: timeline(period, hours, begun),
  }
}

type Sums = Omit<store.HourOfMessages, 'hour' | 'agent_id'>
const sumNames = [
  'shown',
  'asked',
  'answered',
  'replies',
  'errors',
  'input',
  'output',
  'cost',
  'up',
  'down',
] as const satisfies (keyof Sums)[]

/** Postgres answers with text where a sum might be too large for a number. */
const inNumbers = (row: store.HourOfMessages): store.HourOfMessages => {
  for (const name of sumNames) row[name] = Number(row[name])
  return row
}

function total(rows: Sums[]): Sums {
  const sum = Object.fromEntries(sumNames.map((name) => [name, 0])) as unknown as Sums
  for (const row of rows) for (const name of sumNames) sum[name] += row[name]
  return sum
}

const countOf = (rows: store.HourOfConversations[]): number =>
  rows.reduce((sum, { conversations }) => sum + Number(conversations), 0)

const rounded = (value: number): number => Math.round(value * 100) / 100
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000)

const figures = ({ input, output, cost, up, down, errors, replies }: Sums) => ({
  tokens: { input, output },
  cost: dollars(cost),
  feedback: { up, down, satisfaction_rate: up + down === 0 ? null : share(up, up + down) },
  errors: { total: errors, rate: share(errors, replies) },
})

async function byAgent(
  ctx: Context,
  who: Caller,
  hours: store.HourOfMessages[],
  begun: store.HourOfConversations[],
): Promise<ConversationAnalytics['by_agent']> {
  const ids = [...new Set([...hours, ...begun].map((row) => row.agent_id))].filter((id) => id !== '')
  const names = await store.agentNames(ctx, who.workspace)
  const rows = ids.map((id) => {
    const sums = total(hours.filter((row) => row.agent_id === id))
    return {
      agent_id: id,
      name: names.get(id) ?? null,
      conversations: countOf(begun.filter((row) => row.agent_id === id)),
      messages: sums.shown,
      ...figures(sums),
    }
  })
  return rows.sort((a, b) => b.messages - a.messages || (a.agent_id < b.agent_id ? -1 : 1))
}

function timeline(
  period: Period,
  hours: store.HourOfMessages[],
  begun: store.HourOfConversations[],
): ConversationAnalytics['timeline'] {
  const steps = new Map(
    stepsOf(period).map((start) => [start, { start, conversations: 0, messages: 0, tokens: 0, nano: 0, errors: 0 }]),
  )
  for (const row of hours) {
    const step = steps.get(stepStart(row.hour, period.interval))
    if (!step) continue
    step.messages += row.shown
    step.tokens += row.input + row.output
    step.nano += row.cost
    step.errors += row.errors
  }
  for (const row of begun) {
    const step = steps.get(stepStart(row.hour, period.interval))
    if (step) step.conversations += Number(row.conversations)
  }
  return [...steps.values()].map(({ nano, ...step }) => ({ ...step, cost: dollars(nano) }))
}
