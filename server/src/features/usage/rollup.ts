import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { UsageRow } from './ledger.ts'

/**
 * Sums of the ledger by day and by month for every combination of what a call belongs to. They are written with the
 * ledger's rows and so always equal it. An empty text stands for nothing, as a key has no nulls.
 */
export interface RollupRow {
  workspace_id: string
  /** `d` and a day, or `m` and a month. */
  period: string
  model_id: string
  agent_id: string
  user_id: string
  token_id: string
  tool_id: string
  evaluation_id: string
  in_conversation: number
  shard: number
  requests: number
  input_tokens: number
  output_tokens: number
  cost_nano: number
}

export const rollupKey = [
  'workspace_id',
  'period',
  'model_id',
  'agent_id',
  'user_id',
  'token_id',
  'tool_id',
  'evaluation_id',
  'in_conversation',
  'shard',
] as const satisfies (keyof RollupRow)[]
export const rollupSums = [
  'requests',
  'input_tokens',
  'output_tokens',
  'cost_nano',
] as const satisfies (keyof RollupRow)[]

/** In a cluster many transactions end at once; they wait less for each other when the same sum stands in several rows. */
const shards = 8

export function rollUp(ctx: Context, rows: UsageRow[]): Statement[] {
  if (rows.length === 0) return []
  const shard = ctx.engine === 'postgres' ? Math.floor(Math.random() * shards) : 0
  const sums = new Map<string, RollupRow>()
  for (const row of rows) {
    for (const period of [`d${row.day}`, `m${row.day.slice(0, 7)}`]) {
      const next = rollupOf(row, period, shard)
      const key = rollupKey.map((name) => next[name]).join('\n')
      const known = sums.get(key)
      if (!known) sums.set(key, next)
      else for (const name of rollupSums) known[name] += next[name]
    }
  }
  // Always in the same order, so that two transactions never wait for each other.
  const ordered = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => ({ ...row }))
  return [ctx.statements.accumulate('usage_rollup', ordered, rollupKey, rollupSums)]
}

const rollupOf = (row: UsageRow, period: string, shard: number): RollupRow => ({
  workspace_id: row.workspace_id,
  period,
  model_id: row.model_id,
  agent_id: row.agent_id ?? '',
  user_id: row.user_id ?? '',
  token_id: row.token_id,
  tool_id: row.tool_id ?? '',
  evaluation_id: row.evaluation_id ?? '',
  in_conversation: row.conversation_id === null ? 0 : 1,
  shard,
  requests: 1,
  input_tokens: row.input_tokens,
  output_tokens: row.output_tokens,
  cost_nano: row.cost_nano,
})

/** The periods that together are exactly the days asked for: whole months where there are, else days. */
export function periodsBetween(start: string | undefined, end: string | undefined): [from: string, to: string][] {
  const firstMonth = start === undefined ? undefined : monthFrom(start)
  const lastMonth = end === undefined ? undefined : monthUpTo(end)
  if (start !== undefined && end !== undefined && (firstMonth ?? '') > (lastMonth ?? ''))
    return [[`d${start}`, `d${end}`]]
  const ranges: [string, string][] = [[`m${firstMonth ?? ''}`, `m${lastMonth ?? '9999-99'}`]]
  if (start !== undefined && !start.endsWith('-01')) ranges.push([`d${start}`, `d${start.slice(0, 7)}-31`])
  if (end !== undefined && lastMonth !== end.slice(0, 7)) ranges.push([`d${end.slice(0, 7)}-01`, `d${end}`])
  return ranges
}

/** The first month that begins on this day or later. */
function monthFrom(day: string): string {
  if (day.endsWith('-01')) return day.slice(0, 7)
  const [year = 0, month = 0] = day.split('-').map(Number)
  return month < 12 ? asMonth(year, month + 1) : year < 9999 ? asMonth(year + 1, 1) : '9999-99'
}

/** The last month that ends on this day or earlier. */
function monthUpTo(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  if (date === daysInMonth) return asMonth(year, month)
  return month > 1 ? asMonth(year, month - 1) : year > 0 ? asMonth(year - 1, 12) : '0000-00'
}

const asMonth = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
