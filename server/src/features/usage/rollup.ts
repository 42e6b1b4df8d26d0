import { type ExpressionBuilder, expressionBuilder, type Kysely } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db, Tables } from '../../kernel/store/database.ts'
import {
  countExistingRows,
  createInsertTrigger,
  createRollupTable,
  dropInsertTrigger,
  type Rollup,
} from '../../kernel/store/rollup.ts'
import { dollars } from './cost.ts'

/**
 * Sums of the ledger by day and by month, which a trigger adds every ledger row to. Each scope has a row for every
 * combination of entities that occurs. Tokens and users can be many, so only the narrower scopes tell them apart.
 */
export interface RollupRow {
  workspace_id: string
  scope: Scope
  /** `d2026-01-31` or `m2026-01`. */
  period: string
  /** In scope `user` the user; else `*` for the calls of all users, and empty for calls without one. */
  user_id: string
  /** Empty in scope `workspace`. */
  token_id: string
  agent_id: string
  model_id: string
  tool_id: string
  evaluation_id: string
  /** On Postgres a sum is spread over several rows, because transactions that update the same row wait for each other. */
  shard: number
  requests: number
  input_tokens: number
  output_tokens: number
  cost_nano: number
  saved_nano: number
  /** The calls whose price was not known, so that they add nothing to the cost. */
  unpriced: number
}

export type Scope = 'workspace' | 'token' | 'user'

const periods = [`'d' || row.day`, `'m' || substr(row.day, 1, 7)`]
const ofAllUsers = `case when row.user_id is null then '' else '*' end`
const scopes: Record<Scope, Record<'user_id' | 'token_id', string>> = {
  workspace: { user_id: ofAllUsers, token_id: `''` },
  token: { user_id: ofAllUsers, token_id: 'row.token_id' },
  user: { user_id: `coalesce(row.user_id, '')`, token_id: 'row.token_id' },
}

const usageRollup: Rollup = {
  name: 'usage_rollup',
  source: 'usage_record',
  table: 'usage_rollup',
  levels: Object.entries(scopes).flatMap(([scope, cells]) =>
    periods.map((period) => ({ scope: `'${scope}'`, period, ...cells })),
  ),
  key: {
    agent_id: `coalesce(row.agent_id, '')`,
    model_id: 'row.model_id',
    tool_id: `coalesce(row.tool_id, '')`,
    evaluation_id: `coalesce(row.evaluation_id, '')`,
  },
  sums: {
    requests: '1',
    input_tokens: 'row.input_tokens',
    output_tokens: 'row.output_tokens',
    cost_nano: 'row.cost_nano',
  },
  where: `level.scope <> 'user' or row.user_id is not null`,
}

export const rollupKey = [
  'scope',
  'period',
  'user_id',
  'token_id',
  'agent_id',
  'model_id',
  'tool_id',
  'evaluation_id',
] as const
const firstSums = ['requests', 'input_tokens', 'output_tokens', 'cost_nano'] as const
export const rollupSums = [...firstSums, 'saved_nano', 'unpriced'] as const

export async function createRollup(db: Kysely<unknown>): Promise<void> {
  const key = Object.fromEntries(rollupKey.map((name) => [name, 'text' as const]))
  await createRollupTable(db, { table: 'usage_rollup', key, sums: firstSums })
  await createInsertTrigger(db, usageRollup)
}

/** Sums what caches saved, too. */
export async function addSavings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('usage_rollup')
    .addColumn('saved_nano', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await dropInsertTrigger(db, usageRollup)
  await createInsertTrigger(db, { ...usageRollup, sums: sumsWithSavings })
}

const sumsWithSavings = { ...usageRollup.sums, saved_nano: 'row.saved_nano' }
const isUnpriced = `price = 'null'`

/** Counts the calls without a price, too: those that are made, and those in the ledger. */
export async function addUnpriced(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('usage_rollup')
    .addColumn('unpriced', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await countExistingRows(db, { ...usageRollup, sums: { unpriced: '1' } }, isUnpriced)
  await dropInsertTrigger(db, usageRollup)
  const unpriced = `case when row.${isUnpriced} then 1 else 0 end`
  await createInsertTrigger(db, { ...usageRollup, sums: { ...sumsWithSavings, unpriced } })
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

/** The condition that a row of the roll-up is of one of these periods. */
export function isWithin(ranges: [from: string, to: string][]) {
  const is = expressionBuilder<Tables, 'usage_rollup'>()
  return is.or(ranges.map(([from, to]) => is.between('period', from, to)))
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
  unpriced_requests: number
}

type RawSums = Record<'tokens' | 'cost' | 'requests' | 'unpriced', string | number | bigint>

/** The days or months of a scope. The key of the roll-up begins with the period, so each one is looked up. */
export const selectRollup = (db: Db, workspace: string, kind: 'd' | 'm', scope: 'user' | 'token') =>
  db
    .selectFrom('usage_rollup')
    .where('workspace_id', '=', workspace)
    .where('scope', '=', scope)
    .where('period', 'in', (is) =>
      is
        .selectFrom('usage_rollup')
        .select('period')
        .distinct()
        .where('workspace_id', '=', workspace)
        .where('scope', '=', 'workspace')
        .where('period', '>=', kind)
        .where('period', '<=', `${kind}9999-99-99`),
    )

export const sums = (is: ExpressionBuilder<Tables, 'usage_rollup'>) => [
  is.fn.sum(is('input_tokens', '+', is.ref('output_tokens'))).as('tokens'),
  is.fn.sum('cost_nano').as('cost'),
  is.fn.sum('requests').as('requests'),
  is.fn.sum('unpriced').as('unpriced'),
]

/** The usage of some users from monthly sums, so that its cost does not grow with the ledger. */
export async function usageOfUsers(ctx: Context, workspace: string, users: string[]): Promise<Map<string, UserSums>> {
  if (users.length === 0) return new Map()
  const rows = await selectRollup(ctx.longReads, workspace, 'm', 'user')
    .where('user_id', 'in', users)
    .groupBy('user_id')
    .select('user_id as id')
    .select(sums)
    .execute()
  return new Map(rows.map((row) => [row.id, { id: row.id, ...toSums(row) }]))
}

export const toSums = ({ tokens, cost, requests, unpriced }: RawSums) => ({
  tokens: Number(tokens),
  cost: dollars(Number(cost)),
  requests: Number(requests),
  unpriced_requests: Number(unpriced),
})
