import { expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'
import { Conflict, runStatements } from './commits.ts'
import { prepared, statement } from './statement.ts'

const key = { token: 'tok_1', request_hash: 'hash', created_at: Date.now(), headers: null, body: null }

const insert = prepared((db, row: typeof key & { workspace_id: string; key: string; held_until: number }) =>
  db.insertInto('idempotency').values({ ...row, status: null }),
)

interface Change {
  workspace_id: string
  key: string
  before: string | null
  started_id?: string | null
  held_until?: number
}
const change = prepared((db, { workspace_id, key, before, ...set }: Change) =>
  db
    .updateTable('idempotency')
    .set(set)
    .where('workspace_id', '=', workspace_id)
    .where('key', '=', key)
    .where('started_id', 'is not distinct from', before),
)

it('fills in the values of each call, in grouped commits and in transactions', async () => {
  const { ctx, workspace: workspace_id } = await startService()
  const { db } = ctx
  const stored = () =>
    db
      .selectFrom('idempotency')
      .select(['key', 'started_id', 'held_until'])
      .where('workspace_id', '=', workspace_id)
      .where('token', '=', key.token)
      .orderBy('key')
      .execute()

  await ctx.commits.commit([
    insert(db, { ...key, workspace_id, key: 'a', held_until: 1 }),
    insert(db, { ...key, workspace_id, key: 'b', held_until: 2 }),
    change(db, { workspace_id, key: 'a', before: null, started_id: 'msg_1' }, 1),
  ])
  expect(await stored()).toEqual([
    { key: 'a', started_id: 'msg_1', held_until: 1 },
    { key: 'b', started_id: null, held_until: 2 },
  ])

  await runStatements(db, [change(db, { workspace_id, key: 'a', before: 'msg_1', started_id: null, held_until: 3 }, 1)])
  const taken = change(db, { workspace_id, key: 'a', before: 'msg_1', held_until: 4 }, 1)
  await expect(ctx.commits.commit([taken])).rejects.toThrow(Conflict)
  await ctx.commits.commit([
    statement(db.deleteFrom('idempotency').where('workspace_id', '=', workspace_id).where('key', '=', 'b'), 1),
  ])
  expect(await stored()).toEqual([{ key: 'a', started_id: null, held_until: 3 }])
})

it('does not compile a query that leaves out a value', async () => {
  const { ctx } = await startService()
  const remove = prepared((db, { key }: { key: string; token: string }) =>
    db.deleteFrom('idempotency').where('key', '=', key),
  )
  expect(() => remove(ctx.db, { key: 'a', token: 'tok_1' })).toThrow('does not use token')
})
