import { expect, it } from 'vitest'
import { freshEnvironment, startOn } from './harness.ts'

it('one data folder serves one process', async () => {
  const environment = await freshEnvironment()
  const first = await startOn({ ...environment, ADMIN_TOKEN: 't' })
  await expect(startOn({ ...environment, ADMIN_TOKEN: 't' })).rejects.toThrow(/Another Parley is using the data folder/)
  expect((await first.get('/health')).status).toBe(200)
})

it('a write is on the disk before it is acknowledged', async () => {
  const { ctx } = await startOn({ ...(await freshEnvironment({ empty: true })), ADMIN_TOKEN: 't' })
  const { sql } = await import('kysely')
  const pragma = async (name: string) =>
    Object.values((await sql.raw(`pragma ${name}`).execute(ctx.db)).rows[0] as object)[0]
  expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([
    'wal',
    2,
    1,
  ])
})
