import type { Dataset } from '../../kernel/statistics/dataset.ts'
import {
  type AgentTotals,
  DurationSample,
  filterFor,
  type MessageFilter,
  QuestionCounter,
  type StepTotals,
  ToolAggregator,
  type ToolStatistics,
  type TopicStatistics,
  TotalsAggregator,
} from './aggregation.ts'
import type { Percentiles } from './percentiles.ts'

export interface MessageQuestion extends MessageFilter {
  /** The resolution of `steps`: hours, or else days. */
  byHour: boolean
}

export interface MessageStatistics {
  steps: StepTotals[]
  agents: AgentTotals[]
  latency: Percentiles
  firstToken: Percentiles
  uniqueUsers: number
  /** Conversations in which something was asked. */
  conversations: number
  tools: ToolStatistics[]
  topics: TopicStatistics[]
}

const name = (kind: string) => ({ name: kind })
const flag = (condition: string) => `case when ${condition} then 1 else 0 end`
const ofDay = `workspace_id = $workspace and timestamp >= $day || 'T00:00:00Z' and timestamp <= $day || 'T23:59:59Z'`

/** The messages and tool calls of each day. Triggers change the stamp of a day when any of them changes. */
export const dataset: Dataset<MessageQuestion, MessageStatistics> = {
  name: 'messages',
  stamps: `
    select day, stamp from message_day
    where workspace_id = $workspace and day >= $from and day <= $to order by day, shard`,
  tables: {
    messages: {
      rows: `
        select cast(substr(timestamp, 12, 2) as integer), agent_id, user_id, ${flag('evaluation_id is not null')},
          conversation_id, ${flag("role = 'user'")}, ${flag('not superseded')},
          ${flag("role = 'assistant' and not superseded")},
          ${flag("role = 'assistant' and status not in ('running', 'awaiting_approval')")},
          ${flag("role = 'assistant' and status in ('failed', 'interrupted')")},
          ${flag("role = 'assistant' and status = 'completed'")},
          latency_ms, time_to_first_token_ms, input_tokens, output_tokens, cost_nano,
          ${flag("rating = 'up'")}, ${flag("rating = 'down'")}, nullif(topic, '')
        from message where ${ofDay}`,
      columns: {
        hour: 'number',
        agent: name('agent'),
        user: name('user'),
        evaluation: 'number',
        conversation: name('conversation'),
        questions: 'number',
        messages: 'number',
        answers: 'number',
        replies: 'number',
        errors: 'number',
        completed: 'number',
        latency: 'number',
        firstToken: 'number',
        input: 'number',
        output: 'number',
        cost: 'number',
        up: 'number',
        down: 'number',
        topic: name('topic'),
      },
    },
    tools: {
      rows: `
        select agent_id, user_id, ${flag('evaluation_id is not null')}, tool_id, name, ${flag('failed')}, latency_ms
        from message_tool_call where ${ofDay}`,
      columns: {
        agent: name('agent'),
        user: name('user'),
        evaluation: 'number',
        tool: name('tool'),
        name: name('function'),
        failed: 'number',
        latency: 'number',
      },
    },
  },
  aggregate(days, names, question) {
    const select = filterFor(names, question)
    const totals = new TotalsAggregator(names, question.byHour)
    const questions = new QuestionCounter(names)
    const tools = new ToolAggregator()
    const latency = new DurationSample('latency')
    const firstToken = new DurationSample('firstToken')
    for (const { day, tables } of days) {
      const messages = select(tables.messages)
      totals.add(day, messages)
      questions.add(messages)
      latency.add(messages)
      firstToken.add(messages)
      tools.add(select(tables.tools))
    }
    return {
      ...totals.result(names),
      latency: latency.percentiles(),
      firstToken: firstToken.percentiles(),
      ...questions.result(),
      tools: tools.result(names),
    }
  },
}
