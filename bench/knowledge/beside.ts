import type { Figure } from '../bench.ts'
import { chatTarget, load } from '../load.ts'
import { type Running, startProvider } from '../processes.ts'
import { sync } from './syncs.ts'

/** Whether people who chat notice a running sync. */
export async function chatBesideSync(parley: Running, path: string, seconds: number): Promise<Figure[]> {
  const provider = await startProvider()
  const target = await chatTarget(parley, provider.url)
  const people = { conversations: 4, stream: true }
  await load(target, { ...people, seconds }) // until everything is compiled
  const quiet = await load(target, { ...people, seconds: seconds * 2, pause: 25 })
  let isSynced = false
  const syncing = sync(parley, path).then(() => {
    isSynced = true
  })
  const busy = await load(target, { ...people, seconds: () => isSynced, pause: 25 })
  await syncing
  await provider.stop()
  const figure = (part: 'p50' | 'p99'): Figure => ({
    name: `chat beside a sync, ${part}`,
    value: busy[part],
    unit: 'ms',
    reference: { name: 'without', value: quiet[part] },
  })
  return [figure('p50'), { ...figure('p99'), aim: { of: 'ratio', max: 1.5 } }]
}
