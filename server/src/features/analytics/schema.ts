import { type Static, Type } from 'typebox'
import { DayParameter } from '../../kernel/dates.ts'
import { Choice, Nullable, Timestamp } from '../../kernel/schema.ts'

const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

export const AnalyticsQuery = Type.Object(
  {
    start_date: DayParameter('From this day on (UTC). Left out: 30 days up to the last one.'),
    end_date: DayParameter('Up to this day, which is included (UTC). Left out: today.'),
    agent_id: id('Only conversations with this agent.'),
    user_id: id('Only conversations of this user.'),
    interval: Choice(['hour', 'day', 'week'], { default: 'day', description: 'The steps of `timeline`.' }),
    include_evaluations: Type.Boolean({
      default: false,
      description: 'Include conversations of evaluations. Left out for those who may not see all evaluations.',
    }),
  },
  { additionalProperties: false },
)
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

const Percentiles = (description: string) =>
  Type.Object(
    { p50: Nullable(Type.Integer()), p95: Nullable(Type.Integer()), p99: Nullable(Type.Integer()) },
    { description },
  )
const Tokens = Type.Object({ input: Type.Integer(), output: Type.Integer() })
const Errors = Type.Object({
  total: Type.Integer(),
  rate: Type.Number({ description: 'Share of all replies, 0 to 1.' }),
})
const Cost = Type.Number({ description: 'US dollars.' })
const UnpricedRequests = Type.Integer({
  description:
    'The calls of agents whose price was not known when they were made. They add nothing to the cost, which is at least the sum shown.',
})
const Feedback = Type.Object({
  up: Type.Integer(),
  down: Type.Integer(),
  satisfaction_rate: Nullable(
    Type.Number({ description: 'Share of `up` in all feedback, 0 to 1; null without feedback.' }),
  ),
})

const replyMetrics = {
  replies: Type.Integer(),
  tokens: Tokens,
  cost: Cost,
  cost_per_reply: Type.Number({ description: 'US dollars.' }),
  feedback: Feedback,
  errors: Errors,
  latency_ms: Percentiles('Percentiles of the completed replies, within 5 %.'),
}

const differences = {
  satisfaction_rate: Nullable(Type.Number()),
  error_rate: Type.Number(),
  cost_per_reply: Type.Number({ description: 'US dollars.' }),
  latency_p50_ms: Nullable(Type.Integer()),
}

const Change = Type.Object(
  {
    version: Type.Integer({ description: 'The version before, of those that replied in the period.' }),
    ...differences,
  },
  {
    title: 'VersionChange',
    description: 'This version less the version before. Null for the first one.',
    examples: [
      { version: 2, satisfaction_rate: 0.04, error_rate: -0.01, cost_per_reply: 0.0003, latency_p50_ms: -120 },
    ],
  },
)

export const ConversationAnalytics = Type.Object(
  {
    period: Type.Object({
      start_date: Type.String({ format: 'date' }),
      end_date: Type.String({ format: 'date' }),
      interval: Choice(['hour', 'day', 'week']),
    }),
    conversations: Type.Object(
      { total: Type.Integer(), active: Type.Integer(), completed: Type.Integer() },
      { description: 'Conversations started in the period, by their current status.' },
    ),
    messages: Type.Object({
      total: Type.Integer(),
      user: Type.Integer(),
      assistant: Type.Integer(),
      average_per_conversation: Type.Number({ description: 'Over conversations with at least one question.' }),
    }),
    users: Type.Object({ unique: Type.Integer() }, { description: 'Users with at least one question.' }),
    latency_ms: Percentiles('Percentiles of the completed replies, within 5 %.'),
    time_to_first_token_ms: Percentiles('Percentiles of the completed replies, within 5 %.'),
    tokens: Tokens,
    cost: Cost,
    unpriced_requests: UnpricedRequests,
    feedback: Feedback,
    errors: { ...Errors, description: 'Replies that failed or were interrupted.' },
    tools: Type.Array(
      Type.Object({
        tool_id: Nullable(Type.String()),
        name: Type.String(),
        calls: Type.Integer(),
        failures: Type.Integer(),
        average_latency_ms: Nullable(Type.Number()),
      }),
      { description: 'Sorted by calls, highest first.' },
    ),
    by_agent: Type.Array(
      Type.Object({
        agent_id: Type.String(),
        name: Nullable(Type.String({ description: 'Null if it was deleted.' })),
        conversations: Type.Integer(),
        messages: Type.Integer(),
        tokens: Tokens,
        cost: Cost,
        unpriced_requests: UnpricedRequests,
        feedback: Feedback,
        errors: Errors,
      }),
      { description: 'Sorted by messages, highest first.' },
    ),
    by_version: Type.Array(
      Type.Object({
        agent_id: Type.String(),
        version: Type.Integer(),
        ...replyMetrics,
        change: Nullable(Change),
      }),
      { description: 'By version of an agent that replied, newest first.' },
    ),
    by_label: Type.Array(
      Type.Object({
        agent_id: Type.String(),
        label: Type.String(),
        ...replyMetrics,
        change: Nullable(
          Type.Object(differences, { title: 'LabelChange', description: 'This label less `production` of the agent.' }),
        ),
      }),
      { description: 'By the label that chose the version. Replies that no label chose are left out.' },
    ),
    by_topic: Type.Array(
      Type.Object({
        topic: Type.String(),
        conversations: Type.Integer(),
        messages: Type.Integer({ description: 'Questions.' }),
      }),
      {
        description: "Each question counts for the nearest of its agent's topics. Sorted by questions, highest first.",
      },
    ),
    timeline: Type.Array(
      Type.Object({
        start: Timestamp,
        conversations: Type.Integer(),
        messages: Type.Integer(),
        tokens: Type.Integer(),
        cost: Cost,
        errors: Type.Integer(),
        latency_ms: Percentiles('Percentiles of the completed replies of the step, within 5 %.'),
      }),
      { description: 'Every step of the period, including empty ones; weeks start on Monday.' },
    ),
  },
  {
    title: 'ConversationAnalytics',
    examples: [
      {
        period: { start_date: '2026-01-01', end_date: '2026-01-31', interval: 'day' },
        conversations: { total: 240, active: 12, completed: 228 },
        messages: { total: 1920, user: 960, assistant: 960, average_per_conversation: 8 },
        users: { unique: 87 },
        latency_ms: { p50: 1840, p95: 4200, p99: 7900 },
        time_to_first_token_ms: { p50: 420, p95: 1100, p99: 2300 },
        tokens: { input: 779520, output: 61440 },
        cost: 2.37,
        unpriced_requests: 0,
        feedback: { up: 41, down: 3, satisfaction_rate: 0.932 },
        errors: { total: 4, rate: 0.0042 },
        tools: [],
        by_agent: [],
        by_version: [],
        by_label: [],
        by_topic: [{ topic: 'delivery', conversations: 96, messages: 310 }],
        timeline: [
          {
            start: '2026-01-31T00:00:00Z',
            conversations: 8,
            messages: 64,
            tokens: 28032,
            cost: 0.079,
            errors: 0,
            latency_ms: { p50: 1720, p95: 3900, p99: 4100 },
          },
        ],
      },
    ],
  },
)
export type ConversationAnalytics = Static<typeof ConversationAnalytics>
