import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Service, startService, until } from '../../../test/harness.ts'

it('jobs that cannot be claimed on a full disk leave the service responsive, and run once there is room', async () => {
  let runs = 0
  const definition = { queue: 'note', run: async () => void runs++ }
  const features = [{ name: 'test', jobs: (ctx: Service['ctx']) => void ctx.jobs.define(definition) }]
  const service = await startService({ features })
  const { db, jobs } = service.ctx
  await sql`create trigger full_disk before update on job begin
    select raise(abort, 'database or disk is full');
  end`.execute(db)
  const id = await db.transaction().execute((tx) => jobs.enqueue(tx, 'note', { workspace: null }))
  await new Promise((resolve) => setTimeout(resolve, 50)) // the queue has tried
  expect((await service.get('/health')).status).toBe(200)
  expect(runs).toBe(0)
  await sql`drop trigger full_disk`.execute(db)
  await until(async () => (await jobs.get(null, id))?.status === 'completed')
  expect(runs).toBe(1)
})
