import type { Dataset } from '../../kernel/statistics/dataset.ts'
import {
  type AgentTotals,
  ConversationCounter,
  filterFor,
  type MessageFilter,
  type StepTotals,
  ToolAggregator,
  type ToolStatistics,
  type TopicStatistics,
  TotalsAggregator,
} from './aggregation.ts'
import { DurationSample, DurationsByStep, type Percentiles } from './percentiles.ts'
import { type Period, stepStart } from './period.ts'

export interface MessageQuestion extends MessageFilter {
  interval: Period['interval']
}

export interface MessageStatistics {
  /** Totals by hour or by day. */
  steps: StepTotals[]
  /** By the start of each step of the interval that has a completed reply. */
  latencyByStep: Record<string, Percentiles>
  agents: AgentTotals[]
  latency: Percentiles
  firstToken: Percentiles
  uniqueUsers: number
  /** Conversations with a question in the period. */
  activeConversations: number
  tools: ToolStatistics[]
  topics: TopicStatistics[]
}

const name = (kind: string) => ({ name: kind })
const number = 'number' as const
const count = (condition: string) => `sum(case when ${condition} then 1 else 0 end)`
const hourOf = (column: string) => `cast(substr(${column}, 12, 2) as integer)`
const ofDay = (column: string) =>
  `workspace_id = $workspace and ${column} >= $day || 'T00:00:00Z' and ${column} <= $day || 'T23:59:59Z'`
const isEvaluation = 'case when evaluation_id is not null then 1 else 0 end'
const filterColumns = { agent: name('agent'), user: name('user'), evaluation: number }

/**
 * The conversations, messages and tool calls of each day, grouped as far as the filters and distinct counts allow. Triggers
 * change the stamp of a day when any of them changes.
 */
export const dataset: Dataset<MessageQuestion, MessageStatistics> = {
  name: 'messages',
  stamps: `
    select day, stamp from message_day
    where workspace_id = $workspace and day >= $from and day <= $to order by day, shard`,
  tables: {
    started: {
      rows: `
        select agent_id, user_id, ${isEvaluation}, ${hourOf('created_at')},
          count(*), ${count("status = 'active'")}, ${count("status = 'completed'")}
        from conversation where ${ofDay('created_at')} group by 1, 2, 3, 4`,
      columns: { ...filterColumns, hour: number, started: number, active: number, completed: number },
    },
    messages: {
      rows: `
        select agent_id, user_id, ${isEvaluation}, ${hourOf('timestamp')}, conversation_id,
          ${count('not superseded')}, ${count("role = 'user' and not superseded")}, ${count("role = 'assistant' and not superseded")},
          ${count("role = 'assistant' and status not in ('running', 'awaiting_approval')")},
          ${count("role = 'assistant' and status in ('failed', 'interrupted')")},
          sum(input_tokens), sum(output_tokens), sum(cost_nano), ${count("rating = 'up'")}, ${count("rating = 'down'")}
        from message where ${ofDay('timestamp')} group by 1, 2, 3, 4, 5`,
      columns: {
        ...filterColumns,
        hour: number,
        conversation: name('conversation'),
        messages: number,
        questions: number,
        answers: number,
        replies: number,
        errors: number,
        input: number,
        output: number,
        cost: number,
        up: number,
        down: number,
      },
    },
    durations: {
      rows: `
        select agent_id, user_id, ${isEvaluation}, ${hourOf('timestamp')}, latency_ms, time_to_first_token_ms
        from message where ${ofDay('timestamp')} and role = 'assistant' and status = 'completed'`,
      columns: { ...filterColumns, hour: number, latency: number, firstToken: number },
    },
    topics: {
      rows: `
        select agent_id, user_id, ${isEvaluation}, conversation_id, topic, count(*)
        from message where ${ofDay('timestamp')} and role = 'user' and not superseded and topic <> '' group by 1, 2, 3, 4, 5`,
      columns: { ...filterColumns, conversation: name('conversation'), topic: name('topic'), questions: number },
    },
    tools: {
      rows: `
        select agent_id, user_id, ${isEvaluation}, tool_id, name, count(*), ${count('failed')},
          count(latency_ms), sum(latency_ms)
        from message_tool_call where ${ofDay('timestamp')} group by 1, 2, 3, 4, 5`,
      columns: {
        ...filterColumns,
        tool: name('tool'),
        name: name('function'),
        calls: number,
        failures: number,
        timed: number,
        latency: number,
      },
    },
  },
  aggregate(days, names, question) {
    const select = filterFor(names, question)
    const totals = new TotalsAggregator(names, question.interval === 'hour')
    const latencyByStep = new DurationsByStep()
    const conversations = new ConversationCounter(names)
    const tools = new ToolAggregator(names)
    const latency = new DurationSample()
    const firstToken = new DurationSample()
    for (const { day, tables } of days) {
      const messages = select(tables.messages)
      totals.add(select(tables.started))
      totals.add(messages)
      totals.endDay(day)
      conversations.addMessages(messages)
      conversations.addTopics(select(tables.topics))
      const { rows, values } = select(tables.durations)
      latency.add(values.latency, rows)
      firstToken.add(values.firstToken, rows)
      addSteps(latencyByStep, day, question.interval, values, rows)
      tools.add(select(tables.tools))
    }
    return {
      ...totals.result(),
      ...conversations.result(),
      latencyByStep: latencyByStep.result(),
      latency: latency.percentiles(),
      firstToken: firstToken.percentiles(),
      tools: tools.result(),
    }
  },
}

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => `T${String(hour).padStart(2, '0')}`)

function addSteps(
  durations: DurationsByStep,
  day: string,
  interval: Period['interval'],
  { latency, hour }: Record<string, Float64Array>,
  rows: Uint32Array,
): void {
  if (!latency || !hour) return
  const steps = hoursOfDay.map((each) => stepStart(`${day}${each}`, interval))
  for (const row of rows) durations.add(steps[(hour[row] as number) - 1] as string, latency[row] as number)
}
