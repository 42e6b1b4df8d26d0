import type { Kysely } from 'kysely'
import { createRollupTable, createRollupTriggers, type Rollup } from '../../../kernel/store/rollup.ts'
import { bucket } from './histogram.ts'

/**
 * `started`, `active` and `completed` count the conversations started in the hour; `messages`, `questions` and `answers`
 * count the shown branch, all others every reply. A reply counts once it has ended or waits for an approval.
 */
export const totalNames = [
  'started',
  'active',
  'completed',
  'messages',
  'questions',
  'answers',
  'replies',
  'errors',
  'input',
  'output',
  'cost',
  'up',
  'down',
] as const
export type Totals = Record<(typeof totalNames)[number], number>

interface Filtered {
  workspace_id: string
  agent_id: string
  /** 1 for conversations of evaluations. */
  evaluation: number
}

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    /** `hour` is 2026-01-31T12. */
    conversation_sums: Filtered & Totals & { hour: string }
    reply_durations: Filtered & { hour: string; kind: DurationKind; bucket: number; replies: number }
    tool_call_sums: Filtered & ToolSums & { day: string; tool_id: string; name: string }
  }
}

export type DurationKind = 'latency' | 'first_token'
export interface ToolSums {
  calls: number
  failures: number
  /** The calls whose duration is known, and the sum of their durations. */
  timed: number
  latency: number
}

export const toolSumNames = ['calls', 'failures', 'timed', 'latency'] as const
const count = (condition: string) => `case when ${condition} then 1 else 0 end`
const filters = {
  agent_id: `coalesce(row.agent_id, '')`,
  evaluation: count('row.evaluation_id is not null'),
}
const filterTypes = { agent_id: 'text', evaluation: 'integer' } as const
const hour = 'substr(row.timestamp, 1, 13)'

export const startedConversations: Rollup = {
  name: 'conversation_sums_started',
  source: 'conversation',
  table: 'conversation_sums',
  key: { hour: 'substr(row.created_at, 1, 13)', ...filters },
  sums: { started: '1', active: count(`row.status = 'active'`), completed: count(`row.status = 'completed'`) },
  where: 'true',
}

export const messageSums: Rollup = {
  name: 'conversation_sums_message',
  source: 'message',
  table: 'conversation_sums',
  key: { hour, ...filters },
  sums: {
    messages: count('not row.superseded'),
    questions: count(`row.role = 'user' and not row.superseded`),
    answers: count(`row.role = 'assistant' and not row.superseded`),
    replies: count(`row.role = 'assistant' and row.status <> 'awaiting_approval'`),
    errors: count(`row.role = 'assistant' and row.status in ('failed', 'interrupted')`),
    input: 'coalesce(row.input_tokens, 0)',
    output: 'coalesce(row.output_tokens, 0)',
    cost: 'coalesce(row.cost_nano, 0)',
    up: count(`row.rating = 'up'`),
    down: count(`row.rating = 'down'`),
  },
  where: `row.status <> 'running'`,
}

const durations = (kind: DurationKind, column: string): Rollup => ({
  name: `reply_durations_${kind}`,
  source: 'message',
  table: 'reply_durations',
  key: { hour, ...filters, kind: `'${kind}'`, bucket: bucket(`row.${column}`) },
  sums: { replies: '1' },
  where: `row.role = 'assistant' and row.status = 'completed' and row.${column} is not null`,
})

export const durationRollups = [durations('latency', 'latency_ms'), durations('first_token', 'time_to_first_token_ms')]

export const toolCallSums: Rollup = {
  name: 'tool_call_sums',
  source: 'message_tool_call',
  table: 'tool_call_sums',
  key: { day: 'substr(row.timestamp, 1, 10)', ...filters, tool_id: `coalesce(row.tool_id, '')`, name: 'row.name' },
  sums: {
    calls: '1',
    failures: count('row.failed'),
    timed: count('row.latency_ms is not null'),
    latency: 'coalesce(row.latency_ms, 0)',
  },
  where: 'true',
}

export async function createStatistics(db: Kysely<unknown>): Promise<void> {
  await createRollupTable(db, { table: 'conversation_sums', key: { hour: 'text', ...filterTypes }, sums: totalNames })
  const durationColumns = { hour: 'text', ...filterTypes, kind: 'text', bucket: 'integer' } as const
  await createRollupTable(db, { table: 'reply_durations', key: durationColumns, sums: ['replies'] })
  const toolColumns = { day: 'text', ...filterTypes, tool_id: 'text', name: 'text' } as const
  await createRollupTable(db, { table: 'tool_call_sums', key: toolColumns, sums: toolSumNames })
  for (const rollup of [startedConversations, messageSums, ...durationRollups, toolCallSums])
    await createRollupTriggers(db, rollup)
}
