import type { Kysely } from 'kysely'
import { waitingStatuses } from '../../../kernel/agent/needs.ts'
import {
  countExistingRows,
  createRollupTable,
  createRollupTriggers,
  dropRollupTriggers,
  type Rollup,
} from '../../../kernel/store/rollup.ts'
import { bucket } from './histogram.ts'

/**
 * `started`, `active` and `completed` count the conversations started in the period; `messages`, `questions` and `answers`
 * count the shown branch, all others every reply. A reply counts in `replies` once it has ended, and not while it waits for a
 * person. An agent that another one asks answers that agent, and no person: only its tokens and its cost count.
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
  /** `d2026-01-31` or `h2026-01-31T12`. */
  period: string
  agent_id: string
  /** 1 for conversations of evaluations. */
  evaluation: number
}

/** The version of the agent that replied, 0 for all that is no reply, and the label that chose it, empty for none. */
interface Versioned {
  agent_version: number
  label: string
}

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    conversation_sums: Filtered & Versioned & Totals & Record<DurationName, string>
    tool_call_sums: Filtered & ToolSums & { tool_id: string; name: string }
  }
}

/** Histograms of the durations of completed replies. */
export const durationNames = ['latency', 'first_token'] as const
type DurationName = (typeof durationNames)[number]

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
const keyTypes = { period: 'text', agent_id: 'text', evaluation: 'integer' } as const
const versionTypes = { agent_version: 'integer', label: 'text' } as const

/** The levels of the sums, in their order. */
export const steps = ['day', 'hour'] as const
export type Step = (typeof steps)[number]
const day = (timestamp: string) => ({ period: `'d' || substr(${timestamp}, 1, 10)` })
const hour = (timestamp: string) => ({ period: `'h' || substr(${timestamp}, 1, 13)` })

/** The rollups before child conversations were left out, for the migrations that create them. */
const firstStarted: Rollup = {
  name: 'conversation_sums_started',
  source: 'conversation',
  table: 'conversation_sums',
  levels: [day('row.created_at'), hour('row.created_at')],
  key: { ...filters, agent_version: '0', label: `''` },
  sums: { started: '1', active: count(`row.status = 'active'`), completed: count(`row.status = 'completed'`) },
  where: 'true',
}
export const startedConversations: Rollup = { ...firstStarted, where: 'row.parent_message_id is null' }

const durationBucket = (column: string, isCounted: string) =>
  `(case when row.role = 'assistant' and row.status = 'completed' and ${isCounted} then ${bucket(`row.${column}`)} end)`

const waiting = waitingStatuses.map((status) => `'${status}'`).join(', ')

/** The condition selects the messages between a person and an agent. */
const sumMessages = (isCounted: string): Rollup => ({
  name: 'conversation_sums_message',
  source: 'message',
  table: 'conversation_sums',
  levels: [day('row.timestamp'), hour('row.timestamp')],
  key: { ...filters, agent_version: 'coalesce(row.agent_version, 0)', label: `coalesce(row.label, '')` },
  sums: {
    messages: count(`not row.superseded and ${isCounted}`),
    questions: count(`row.role = 'user' and not row.superseded and ${isCounted}`),
    answers: count(`row.role = 'assistant' and not row.superseded and ${isCounted}`),
    replies: count(`row.role = 'assistant' and row.status not in (${waiting}) and ${isCounted}`),
    errors: count(`row.role = 'assistant' and row.status in ('failed', 'interrupted') and ${isCounted}`),
    input: 'coalesce(row.input_tokens, 0)',
    output: 'coalesce(row.output_tokens, 0)',
    cost: 'coalesce(row.cost_nano, 0)',
    up: count(`row.rating = 'up'`),
    down: count(`row.rating = 'down'`),
  },
  histograms: {
    latency: durationBucket('latency_ms', isCounted),
    first_token: durationBucket('time_to_first_token_ms', isCounted),
  },
  where: `row.status <> 'running'`,
})
const firstMessageSums = sumMessages('true')
export const messageSums = sumMessages('not row.asked_by_agent')

export const toolCallSums: Rollup = {
  name: 'tool_call_sums',
  source: 'message_tool_call',
  table: 'tool_call_sums',
  levels: [day('row.timestamp')],
  key: { ...filters, tool_id: `coalesce(row.tool_id, '')`, name: 'row.name' },
  sums: {
    calls: '1',
    failures: count('row.failed'),
    timed: count('row.latency_ms is not null'),
    latency: 'coalesce(row.latency_ms, 0)',
  },
  where: 'true',
}

export async function createStatistics(db: Kysely<unknown>): Promise<void> {
  const conversationSums = { table: 'conversation_sums', key: keyTypes, sums: totalNames, histograms: durationNames }
  await createRollupTable(db, conversationSums)
  const toolKey = { ...keyTypes, tool_id: 'text', name: 'text' } as const
  await createRollupTable(db, { table: 'tool_call_sums', key: toolKey, sums: toolSumNames })
  for (const rollup of [firstStarted, firstMessageSums]) await createRollupTriggers(db, { ...rollup, key: filters }) // `sumByVersion` replaces them
  await createRollupTriggers(db, toolCallSums)
}

/** Counts the sums again, by version and label. */
export const sumByVersion = (db: Kysely<unknown>): Promise<void> => sumAgain(db, [firstStarted, firstMessageSums])

/** Counts the sums again, without what agents ask each other. */
export const sumWithoutChildren = (db: Kysely<unknown>): Promise<void> =>
  sumAgain(db, [startedConversations, messageSums])

async function sumAgain(db: Kysely<unknown>, rollups: Rollup[]): Promise<void> {
  for (const rollup of rollups) await dropRollupTriggers(db, rollup)
  await db.schema.dropTable('conversation_sums').execute()
  const key = { ...keyTypes, ...versionTypes }
  await createRollupTable(db, { table: 'conversation_sums', key, sums: totalNames, histograms: durationNames })
  for (const rollup of rollups) {
    await countExistingRows(db, rollup)
    await createRollupTriggers(db, rollup)
  }
}
