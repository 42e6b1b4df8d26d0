import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
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
  const failures = vi.spyOn(service.ctx.log, 'error')
  const id = await db.transaction().execute((tx) => jobs.enqueue(tx, 'note', { workspace: null }))
  await until(() => failures.mock.calls.length > 0) // it was tried
  expect((await service.get('/health')).status).toBe(200)
  expect(runs).toBe(0)
  await sql`drop trigger full_disk`.execute(db)
  await until(async () => (await jobs.get(null, id))?.status === 'completed')
  expect(runs).toBe(1)
})

it('the end of a job that cannot be stored on a full disk is stored once there is room', async () => {
  let runs = 0
  const definition = { queue: 'note', run: async () => void runs++ }
  const features = [{ name: 'test', jobs: (ctx: Service['ctx']) => void ctx.jobs.define(definition) }]
  const { ctx } = await startService({ features })
  await sql`create trigger full_disk before update on job when new.status <> 'running' begin
    select raise(abort, 'database or disk is full');
  end`.execute(ctx.db)
  const failures = vi.spyOn(ctx.log, 'warn')
  const id = await ctx.db.transaction().execute((tx) => ctx.jobs.enqueue(tx, 'note', { workspace: null }))
  await until(() => failures.mock.calls.some(([about]) => (about as { job?: string }).job === id)) // it was tried
  await sql`drop trigger full_disk`.execute(ctx.db)
  await until(async () => (await ctx.jobs.get(null, id))?.status === 'completed')
  expect(runs).toBe(1)
})

it('on a full disk a request is refused with what to do, what is stored stays readable, and it works again with room', async () => {
  const { ctx, get, post } = await startService({ own: true })
  const { id } = (await post('/agents', { name: 'Before' })).body.data
  await sql`create trigger full_disk before insert on agent begin
    select raise(abort, 'database or disk is full');
  end`.execute(ctx.db)
  const refused = await post('/agents', { name: 'Too much' })
  expect([refused.status, refused.body.code]).toEqual([503, 'overloaded'])
  expect(refused.body.error).toContain('disk')
  expect((await get(`/agents/${id}`)).status).toBe(200)
  await sql`drop trigger full_disk`.execute(ctx.db)
  expect((await post('/agents', { name: 'After' })).status).toBe(201)
})
