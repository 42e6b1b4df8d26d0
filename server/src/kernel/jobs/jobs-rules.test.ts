import { describe, expect, it } from 'vitest'
import { freshEnvironment, startOn, startService, until } from '../../../test/harness.ts'
import { ended, enqueue, withJobs } from '../../../test/job-queues.ts'
import type { RunningJob } from './definition.ts'

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
    let started = false
    const run = ({ signal }: RunningJob) =>
      new Promise<void>((_, reject) => {
        started = true
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const first = await startOn(environment, { features: withJobs({ queue: 'long', resumable: true, run }) })
    const id = await enqueue(first, 'long')
    await until(() => started)
    await first.close(1_000_000) // longer than the test may take
    const second = await startOn(environment, { features: withJobs({ queue: 'long', run: async () => {} }) })
    expect(await ended(second, id)).toMatchObject({ status: 'completed', error: null })
  })
})
