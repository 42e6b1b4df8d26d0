import type { Context, PersonalFunctions } from '../../kernel/context.ts'
import { type ErasedPerson, oidcIdentity } from '../../kernel/personal-data.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { rollupKey, rollupSums, type Scope, selectRollup, sums, toSums } from './rollup.ts'

/** The ledger is kept for accounting, with a marker instead of the person. A declaration cannot move its sums. */
export const usageOfPerson: PersonalFunctions = {
  async *files(ctx, { workspace, userId }) {
    const rows = await selectRollup(ctx.longReads, workspace, 'm', 'user')
      .where('user_id', '=', userId)
      .groupBy('period')
      .orderBy('period')
      .select('period')
      .select(sums)
      .execute()
    const months = rows.map((row) => ({ month: row.period.slice(1), ...toSums(row) }))
    yield { name: 'usage.json', content: [`${JSON.stringify({ currency: 'USD', months }, null, 2)}\n`] }
  },
  async erase(ctx, person) {
    const { userId, marker } = person
    const thresholds = await deleteThresholds(ctx, person)
    const user = await rename(ctx, person, { scopes: ['user'], column: 'user_id', from: userId, to: marker })
    const identity = { from: oidcIdentity(userId), to: oidcIdentity(marker) }
    const token = await rename(ctx, person, { scopes: ['token', 'user'], column: 'token_id', ...identity })
    return thresholds || user || token
  },
}

async function deleteThresholds(ctx: Context, { workspace, userId, count }: ErasedPerson): Promise<boolean> {
  return inTransaction(ctx.db, async (tx) => {
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
    if (ids.length === 0) return false
    for (const table of ['usage_reservation', 'usage_window'] as const)
      await tx.deleteFrom(table).where('workspace_id', '=', workspace).where('threshold_id', 'in', ids).execute()
    await count(tx, { usage_thresholds: ids.length })
    return true
  })
}

interface Renaming {
  /** The scopes whose sums name the person, the one with the fewest rows first. */
  scopes: ['user'] | ['token', 'user']
  column: 'user_id' | 'token_id'
  from: string
  to: string
}

/** Renames the person day by day, with the sums of the day in the same transaction; then the sums of the months. */
async function rename(ctx: Context, { workspace, count }: ErasedPerson, renaming: Renaming): Promise<boolean> {
  const { scopes, column, from, to } = renaming
  const periodsWith = async (kind: 'd' | 'm') => {
    const rollup = selectRollup(ctx.db, workspace, kind, scopes[0]).where(column, '=', from)
    return (await rollup.select('period').distinct().execute()).map(({ period }) => period)
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

/** The marker already has sums if the person returned after an earlier erasure. */
async function moveSums(tx: Db, workspace: string, period: string, renaming: Renaming): Promise<void> {
  const { scopes, column, from, to } = renaming
  const moved = await tx
    .deleteFrom('usage_rollup')
    .where('workspace_id', '=', workspace)
    .where('scope', 'in', scopes as Scope[])
    .where('period', '=', period)
    .where(column, '=', from)
    .returningAll()
    .execute()
  for (const row of moved) {
    await tx
      .insertInto('usage_rollup')
      .values({ ...row, [column]: to })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', ...rollupKey, 'shard'])
          .doUpdateSet((is) =>
            Object.fromEntries(
              rollupSums.map((name) => [name, is(`usage_rollup.${name}`, '+', is.ref(`excluded.${name}`))]),
            ),
          ),
      )
      .execute()
  }
}
