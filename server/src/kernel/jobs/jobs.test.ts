import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshEnvironment, startOn, startService, until } from '../../../test/harness.ts'
import { ended, enqueue, withJobs } from '../../../test/job-queues.ts'
import type { RunningJob } from './definition.ts'

describe('jobs', () => {
  it('run after their transaction commits, and not if it is rolled back', async () => {
    const ran: unknown[] = []
    const service = await startService({
      features: withJobs({ queue: 'note', run: async (job) => void ran.push(job.payload) }),
    })
    const { db, jobs } = service.ctx
    const rolledBack = db.transaction().execute(async (tx) => {
      await jobs.enqueue(tx, 'note', { workspace: null, payload: 'never' })
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    const id = await enqueue(service, 'note', { payload: { hello: 'world' } })
    expect(await ended(service, id)).toMatchObject({ status: 'completed', attempt: 1, error: null })
    expect(ran).toEqual([{ hello: 'world' }])
  })

  it('are retried with growing delays until they succeed or run out of attempts', async () => {
    const tries: Record<string, number> = {}
    const run = async ({ payload }: RunningJob) => {
      const { name, failures } = payload as { name: string; failures: number }
      tries[name] = (tries[name] ?? 0) + 1
      if (tries[name] <= failures) throw new Error(`attempt ${tries[name]} failed`)
    }
    const service = await startService({ features: withJobs({ queue: 'flaky', attempts: 3, retryDelay: 20, run }) })
    const lucky = await enqueue(service, 'flaky', { payload: { name: 'lucky', failures: 2 } })
    const unlucky = await enqueue(service, 'flaky', { payload: { name: 'unlucky', failures: 9 } })
    expect(await ended(service, lucky)).toMatchObject({ status: 'completed', attempt: 3 })
    expect(await ended(service, unlucky)).toMatchObject({ status: 'failed', attempt: 3, error: 'attempt 3 failed' })
    expect(tries).toEqual({ lucky: 3, unlucky: 3 })
    const { body } = await service.get('/status')
    expect(body.data.jobs.failed).toBe(1)
    expect((await service.get('/metrics')).body).toContain('parley_jobs{status="failed"} 1')
  })

  it('of one workspace do not hold up those of others', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const run = async ({ payload }: RunningJob) => (payload === 'slow' ? released : undefined)
    const service = await startService({
      features: withJobs({ queue: 'shared', concurrency: 3, perWorkspace: 2, run }),
    })
    onTestFinished(() => release())
    const other = (await service.post('/workspaces', { name: 'Other' })).body.data.id
    const { ctx } = service
    const workspace = (await service.post('/workspaces', { name: 'Slow' })).body.data.id
    const slow: string[] = []
    for (let n = 0; n < 4; n++) slow.push(await enqueue(service, 'shared', { workspace, payload: 'slow' }))
    const id = await enqueue(service, 'shared', { workspace: other, payload: 'quick' })
    await until(async () => (await ctx.jobs.get(other, id))?.status === 'completed')
    const statuses = async () => Promise.all(slow.map(async (id) => (await ctx.jobs.get(workspace, id))?.status))
    // The quick one may have been faster than the second slow one.
    await until(async () => (await statuses()).sort().join() === 'queued,queued,running,running')
    release()
    await until(async () => (await statuses()).every((status) => status === 'completed'))
  })

  it('report progress and can be cancelled while queued or running', async () => {
    const run = async ({ progress, signal }: RunningJob) => {
      await progress({ done: 1, total: 2 })
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const service = await startService({ features: withJobs({ queue: 'long', concurrency: 1, run }) })
    const { jobs } = service.ctx
    const running = await enqueue(service, 'long')
    const waiting = await enqueue(service, 'long')
    await until(async () => (await jobs.get(null, running))?.progress)
    expect((await jobs.get(null, running))?.progress).toEqual({ done: 1, total: 2 })
    expect(await jobs.cancel(null, waiting)).toBe(true)
    expect(await jobs.cancel(null, running)).toBe(true)
    expect(await jobs.cancel(null, running)).toBe(false)
    expect((await ended(service, running)).status).toBe('cancelled')
    expect((await ended(service, waiting)).attempt).toBe(0)
    await until(async () => (await jobs.counts()).running === 0)
  })

  it('are created once per key until the job has ended', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const service = await startService({ features: withJobs({ queue: 'single', run: () => held }) })
    const ids = await Promise.all(Array.from({ length: 5 }, () => enqueue(service, 'single', { key: 'one' })))
    expect(new Set(ids).size).toBe(1)
    release()
    await ended(service, ids[0] as string)
    expect(await enqueue(service, 'single', { key: 'one' })).not.toBe(ids[0])
  })

  it('are created with a key also while the job that holds it ends', async () => {
    const service = await startService({ features: withJobs({ queue: 'brief', concurrency: 1, run: async () => {} }) })
    const enqueueMany = async () => {
      for (let n = 0; n < 100; n++) expect(await enqueue(service, 'brief', { key: 'one' })).toMatch(/^job_/)
    }
    await Promise.all(Array.from({ length: 4 }, enqueueMany))
  })

  it('continue in another process when theirs is killed', async () => {
    const environment = { ADMIN_TOKEN: 'the-owner-of-this-test', ...(await freshEnvironment()) }
    const script = fileURLToPath(new URL('../../../test/stuck-worker.ts', import.meta.url))
    const worker = spawn(process.execPath, [script], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void worker.kill('SIGKILL'))
    const id = await new Promise<string>((resolve) => {
      let text = ''
      worker.stdout.on('data', (chunk) => {
        text += chunk
        const match = /started (\S+)\n/.exec(text)
        if (match?.[1]) resolve(match[1])
      })
    })
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.kill('SIGKILL')
    await exited
    const service = await startOn(environment, { features: withJobs({ queue: 'stuck', run: async () => {} }) })
    expect(await ended(service, id)).toMatchObject({ status: 'completed', attempt: 2 })
  }, 300_000)
})
