import type { Book } from '../../kernel/figures/book.ts'
import {
  type AgentTotals,
  Durations,
  filterFor,
  type Moment,
  People,
  Steps,
  type ToolFigures,
  Tools,
  type TopicFigures,
} from './counting.ts'
import type { Percentiles } from './percentiles.ts'

export interface MessageQuestion {
  agentId?: string
  userId?: string
  withEvaluations: boolean
  /** How much of a moment is told: its hour, or only its day. */
  byHour: boolean
}

export interface MessageAnswer {
  moments: Moment[]
  agents: AgentTotals[]
  latency: Percentiles
  firstToken: Percentiles
  users: number
  spokenIn: number
  tools: ToolFigures[]
  topics: TopicFigures[]
}

const name = (kind: string) => ({ name: kind })
const flag = (condition: string) => `case when ${condition} then 1 else 0 end`
const ofDay = `workspace_id = $workspace and timestamp >= $day || 'T00:00:00Z' and timestamp <= $day || 'T23:59:59Z'`

/** The messages and calls of tools of each day; triggers give a day another stamp when any of them changes. */
export const book: Book<MessageQuestion, MessageAnswer> = {
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
        asked: 'number',
        shown: 'number',
        answered: 'number',
        reply: 'number',
        failed: 'number',
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
  answer(days, names, question) {
    const meant = filterFor(names, question)
    const steps = new Steps(names, question.byHour)
    const people = new People(names)
    const tools = new Tools()
    const latency = new Durations()
    const firstToken = new Durations()
    for (const { day, tables } of days) {
      const messages = meant(tables.messages)
      steps.add(day, messages)
      people.add(messages)
      latency.add(messages, 'latency')
      firstToken.add(messages, 'firstToken')
      tools.add(meant(tables.tools))
    }
    return {
      ...steps.all(names),
      latency: latency.percentiles(),
      firstToken: firstToken.percentiles(),
      ...people.counted(),
      tools: tools.all(names),
    }
  },
}
