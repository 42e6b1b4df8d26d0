import { expect, it } from 'vitest'
import { startService, until } from './harness.ts'

/** Repeating jobs have run once, and idle connections have reported the transactions of the start. */
const settledAfter = 12_000
const observedFor = 15_000

it('an idle node makes less than two transactions a second', async () => {
  const { ctx } = await startService({ own: true })
  const read = async () => {
    const answer = await ctx.pool?.query<{ transactions: number; seconds: number }>(
      `select (xact_commit + xact_rollback)::int as transactions, extract(epoch from clock_timestamp())::float as seconds
       from pg_stat_database where datname = current_database()`,
    )
    return answer?.rows[0] ?? { transactions: 0, seconds: 0 }
  }
  const pass = async (milliseconds: number) => {
    const started = performance.now()
    await until(() => performance.now() - started > milliseconds)
  }
  await pass(settledAfter)
  const before = await read()
  await pass(observedFor)
  const after = await read()
  expect((after.transactions - before.transactions) / (after.seconds - before.seconds)).toBeLessThan(2)
})
