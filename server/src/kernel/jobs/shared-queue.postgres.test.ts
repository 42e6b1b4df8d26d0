import { expect, it } from 'vitest'
import { type Service, startOn, startService, until } from '../../../test/harness.ts'
import type { RunningJob } from './definition.ts'

it('nodes share the queues: each job runs once, and a node without a place leaves it to another', async () => {
  const runs: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const feature = (node: string) => ({
    name: 'test',
    jobs: (ctx: Service['ctx']) =>
      ctx.jobs.define({
        queue: 'shared',
        concurrency: 2,
        run: async ({ id, payload }: RunningJob) => {
          runs.push(`${id} ${node}`)
          if (payload === 'hold') await released
        },
      }),
  })
  const one = await startService({ features: [feature('one')] })
  const two = await startOn(one.environment, { features: [feature('two')] })
  const enqueue = (payload: string) =>
    one.ctx.db.transaction().execute((tx) => one.ctx.jobs.enqueue(tx, 'shared', { workspace: null, payload }))
  const held = await Promise.all(Array.from({ length: 4 }, () => enqueue('hold')))
  await until(() => runs.length === 4)
  expect(runs.map((run) => run.split(' ')[1]).sort()).toEqual(['one', 'one', 'two', 'two'])
  const quick = await Promise.all(Array.from({ length: 100 }, () => enqueue('quick')))
  release()
  const ended = async (id: string) => (await two.ctx.jobs.get(null, id))?.status === 'completed'
  for (const id of [...held, ...quick]) await until(() => ended(id))
  expect(runs.map((run) => run.split(' ')[0]).sort()).toEqual([...held, ...quick].sort())
})
