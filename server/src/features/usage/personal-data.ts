import type { ExpressionBuilder } from 'kysely'
import type { Context, PersonalData } from '../../kernel/context.ts'
import { type ErasedPerson, oidcIdentity } from '../../kernel/personal-data.ts'
import { type Db, inTransaction, type Tables } from '../../kernel/store/database.ts'
import { dollars } from './cost.ts'
import { invalidateThresholds } from './threshold-cache.ts'

export interface UserSums {
  id: string
  tokens: number
  cost: number
  requests: number
}

type RawSums = Record<'tokens' | 'cost' | 'requests', string | number | bigint>

/** The days or months of an entity. The key of the roll-up begins with the period, so each one is looked up. */
const rollupOf = (db: Db, workspace: string, kind: 'd' | 'm', type: 'user' | 'token') =>
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

const sums = (is: ExpressionBuilder<Tables, 'usage_rollup'>) => [
  is.fn.sum(is('input_tokens', '+', is.ref('output_tokens'))).as('tokens'),
  is.fn.sum('cost_nano').as('cost'),
  is.fn.sum('requests').as('requests'),
]

/** The usage of some users, from the sums of each month: fast however long the ledger is. */
export async function usageOfUsers(ctx: Context, workspace: string, users: string[]): Promise<Map<string, UserSums>> {
  if (users.length === 0) return new Map()
  const rows = await rollupOf(ctx.longReads.db, workspace, 'm', 'user')
    .where('entity_id', 'in', users)
    .groupBy('entity_id')
    .select('entity_id as id')
    .select(sums)
    .execute()
  return new Map(rows.map((row) => [row.id, { id: row.id, ...numbersOf(row) }]))
}

const numbersOf = ({ tokens, cost, requests }: RawSums) => ({
  tokens: Number(tokens),
  cost: dollars(Number(cost)),
  requests: Number(requests),
})

/** The ledger stays for the books, without the person: the same sums belong to the marker. */
export const usageOfPerson: PersonalData = {
  async *files(ctx, { workspace, userId }) {
    const rows = await rollupOf(ctx.longReads.db, workspace, 'm', 'user')
      .where('entity_id', '=', userId)
      .groupBy('period')
      .orderBy('period')
      .select('period')
      .select(sums)
      .execute()
    const months = rows.map((row) => ({ month: row.period.slice(1), ...numbersOf(row) }))
    yield { name: 'usage.json', content: [`${JSON.stringify({ currency: 'USD', months }, null, 2)}\n`] }
  },
  async erase(ctx, person) {
    const { userId, marker } = person
    const thresholds = await deleteThresholds(ctx, person)
    const user = await rename(ctx, person, { type: 'user', column: 'user_id', from: userId, to: marker })
    const identity = { from: oidcIdentity(userId), to: oidcIdentity(marker) }
    const token = await rename(ctx, person, { type: 'token', column: 'token_id', ...identity })
    return thresholds || user || token
  },
}

async function deleteThresholds(ctx: Context, { workspace, userId, count }: ErasedPerson): Promise<boolean> {
  const deleted = await inTransaction(ctx.db, async (tx) => {
    const rows = await tx
      .deleteFrom('usage_threshold')
      .where('workspace_id', '=', workspace)
      .where((is) =>
        is.or([
          is.and({ entity_type: 'user', entity_id: userId }),
          is.and({ entity_type: 'token', entity_id: oidcIdentity(userId) }),
        ]),
      )
      .returning('id')
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    for (const table of ['usage_reservation', 'usage_window'] as const)
      await tx.deleteFrom(table).where('workspace_id', '=', workspace).where('threshold_id', 'in', ids).execute()
    await count(tx, { usage_thresholds: ids.length })
    return ids.length
  })
  if (deleted > 0) invalidateThresholds(ctx, workspace)
  return deleted > 0
}

interface Renaming {
  type: 'user' | 'token'
  column: 'user_id' | 'token_id'
  from: string
  to: string
}

/** Renames the person day by day, with the sums of the day in the same transaction; then the sums of the months. */
async function rename(ctx: Context, { workspace, count }: ErasedPerson, renaming: Renaming): Promise<boolean> {
  const { type, column, from, to } = renaming
  const periodsWith = async (kind: 'd' | 'm') => {
    const found = rollupOf(ctx.db, workspace, kind, type).where('entity_id', '=', from)
    return (await found.select('period').distinct().execute()).map(({ period }) => period)
  }
  const [days, months] = [await periodsWith('d'), await periodsWith('m')]
  for (const period of days) {
    await inTransaction(ctx.db, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('usage_record')
        .set({ [column]: to })
        .where('workspace_id', '=', workspace)
        .where('day', '=', period.slice(1))
        .where(column, '=', from)
        .executeTakeFirst()
      await moveSums(tx, workspace, period, renaming)
      await count(tx, { usage_records: Number(numUpdatedRows) })
    })
  }
  for (const period of months) await inTransaction(ctx.db, (tx) => moveSums(tx, workspace, period, renaming))
  return days.length + months.length > 0
}

/** The marker has sums already if the person came back after an earlier erasure. */
async function moveSums(tx: Db, workspace: string, period: string, { type, from, to }: Renaming): Promise<void> {
  const moved = await tx
    .deleteFrom('usage_rollup')
    .where('workspace_id', '=', workspace)
    .where('entity_type', '=', type)
    .where('period', '=', period)
    .where('entity_id', '=', from)
    .returningAll()
    .execute()
  for (const row of moved) {
    await tx
      .insertInto('usage_rollup')
      .values({ ...row, entity_id: to })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'entity_type', 'period', 'entity_id', 'model_id', 'shard'])
          .doUpdateSet((is) =>
            Object.fromEntries(
              (['requests', 'input_tokens', 'output_tokens', 'cost_nano'] as const).map((name) => [
                name,
                is(`usage_rollup.${name}`, '+', is.ref(`excluded.${name}`)),
              ]),
            ),
          ),
      )
      .execute()
  }
}
