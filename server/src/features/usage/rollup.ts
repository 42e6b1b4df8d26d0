import type { ExpressionBuilder } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db, Tables } from '../../kernel/store/database.ts'
import { dollars } from './cost.ts'

/**
 * Sums of the ledger by day and by month, for the workspace and for each agent, user, token, tool and evaluation. A
 * trigger adds every ledger row to them.
 */
export interface RollupRow {
  workspace_id: string
  entity_type: 'workspace' | 'agent' | 'user' | 'token' | 'tool' | 'evaluation'
  /** `d2026-01-31` or `m2026-01`. */
  period: string
  /** Empty for the workspace. */
  entity_id: string
  /** Only for the workspace; other sums are over all models. */
  model_id: string
  /** On Postgres a sum is spread over several rows, because transactions that update the same row wait for each other. */
  shard: number
  requests: number
  input_tokens: number
  output_tokens: number
  cost_nano: number
}

/** Covers exactly the given days: by whole months where possible, else by days. */
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

/** The first month that starts on this day or later. */
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

interface UserSums {
  id: string
  tokens: number
  cost: number
  requests: number
}

type RawSums = Record<'tokens' | 'cost' | 'requests', string | number | bigint>

/** The days or months of an entity. The key of the roll-up begins with the period, so each one is looked up. */
export const selectRollup = (db: Db, workspace: string, kind: 'd' | 'm', type: 'user' | 'token') =>
  db
    .selectFrom('usage_rollup')
    .where('workspace_id', '=', workspace)
    .where('entity_type', '=', type)
    .where('period', 'in', (is) =>
      is
        .selectFrom('usage_rollup')
        .select('period')
        .distinct()
        .where('workspace_id', '=', workspace)
        .where('entity_type', '=', 'workspace')
        .where('period', '>=', kind)
        .where('period', '<=', `${kind}9999-99-99`),
    )

export const sums = (is: ExpressionBuilder<Tables, 'usage_rollup'>) => [
  is.fn.sum(is('input_tokens', '+', is.ref('output_tokens'))).as('tokens'),
  is.fn.sum('cost_nano').as('cost'),
  is.fn.sum('requests').as('requests'),
]

/** The usage of some users from monthly sums, so that its cost does not grow with the ledger. */
export async function usageOfUsers(ctx: Context, workspace: string, users: string[]): Promise<Map<string, UserSums>> {
  if (users.length === 0) return new Map()
  const rows = await selectRollup(ctx.longReads, workspace, 'm', 'user')
    .where('entity_id', 'in', users)
    .groupBy('entity_id')
    .select('entity_id as id')
    .select(sums)
    .execute()
  return new Map(rows.map((row) => [row.id, { id: row.id, ...toSums(row) }]))
}

export const toSums = ({ tokens, cost, requests }: RawSums) => ({
  tokens: Number(tokens),
  cost: dollars(Number(cost)),
  requests: Number(requests),
})
