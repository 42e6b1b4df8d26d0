import { describe, expect, it } from 'vitest'
import { freshEnvironment, startOn, startService, until } from '../../../test/harness.ts'
import { ended, enqueue, withJobs } from '../../../test/job-queues.ts'
import { day } from '../time.ts'
import type { RunningJob } from './definition.ts'

function runUntilStopped() {
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const run = ({ signal }: RunningJob) =>
    new Promise<void>((_, reject) => {
      resolve()
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { run, started }
}

describe('jobs', () => {
  it('are visible only in their workspace', async () => {
    const service = await startService({ features: withJobs({ queue: 'mine', run: async () => {} }) })
    const workspace = (await service.get('/workspaces')).body.data[0].id
    const id = await enqueue(service, 'mine', { workspace })
    expect(await service.ctx.jobs.get(workspace, id)).toMatchObject({ id })
    expect(await service.ctx.jobs.get('wsp_other', id)).toBeUndefined()
    expect(await service.ctx.jobs.cancel('wsp_other', id)).toBe(false)
  })

  it('that are resumable do not delay shutdown', async () => {
    const environment = { ADMIN_TOKEN: 'the-owner-of-this-test', ...(await freshEnvironment()) }
    const { run, started } = runUntilStopped()
    const first = await startOn(environment, { features: withJobs({ queue: 'long', resumable: true, run }) })
    const id = await enqueue(first, 'long')
    await started
    await first.close(1_000_000) // longer than the test may take
    const second = await startOn(environment, { features: withJobs({ queue: 'long', run: async () => {} }) })
    expect(await ended(second, id)).toMatchObject({ status: 'completed', error: null })
  })

  it('respect the concurrency limit of their queue', async () => {
    let now = 0
    let maxRunning = 0
    const run = async () => {
      maxRunning = Math.max(maxRunning, ++now)
      await until(async () => maxRunning >= 3) // until the limit is reached
      now--
    }
    const service = await startService({ features: withJobs({ queue: 'crowd', concurrency: 3, run }) })
    const ids = await Promise.all(Array.from({ length: 9 }, () => enqueue(service, 'crowd')))
    for (const id of ids) expect((await ended(service, id)).status).toBe('completed')
    expect(maxRunning).toBe(3)
  })

  it('repeat at their interval', async () => {
    let runs = 0
    const service = await startService({
      features: withJobs({ queue: 'beat', every: 200, run: async () => void runs++ }),
    })
    await until(() => runs >= 2)
    expect((await service.ctx.jobs.counts()).failed).toBe(0)
  })

  it('wait for their delay', async () => {
    const service = await startService({ features: withJobs({ queue: 'later', run: async () => {} }) })
    const tomorrow = await enqueue(service, 'later', { delay: day })
    const soon = await enqueue(service, 'later', { delay: 200 })
    const now = await enqueue(service, 'later')
    for (const id of [now, soon]) expect((await ended(service, id)).status).toBe('completed')
    expect(await service.ctx.jobs.get(null, tomorrow)).toMatchObject({ status: 'queued', attempt: 0 })
  })

  it('are requeued when the process stops before they are done', async () => {
    const environment = { ADMIN_TOKEN: 'the-owner-of-this-test', ...(await freshEnvironment()) }
    const { run, started } = runUntilStopped()
    const first = await startOn(environment, { features: withJobs({ queue: 'slow', run }) })
    const id = await enqueue(first, 'slow')
    await started
    await first.close(50)
    const second = await startOn(environment, { features: withJobs({ queue: 'slow', run: async () => {} }) })
    expect(await ended(second, id)).toMatchObject({ status: 'completed', attempt: 2, error: null })
  })
})
