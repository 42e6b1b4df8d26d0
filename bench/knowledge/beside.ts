import { print } from '../../packages/search/bench/report.ts'
import { apiOf, until } from '../api.ts'
import { chatTarget, load } from '../chat.ts'
import { type Running, startProvider } from '../processes.ts'

const users = 4
/** Milliseconds between two turns of one user. */
const pause = 25

/** Whether users who chat notice a running sync. */
export async function chatBesideSync(parley: Running, path: string): Promise<void> {
  const { call } = apiOf(parley)
  const provider = await startProvider()
  const target = await chatTarget(parley, provider.url)
  await load(target, users, true) // warm-up
  const quiet = await load(target, users, true, { pause })
  const body = { name: 'Beside', type: 'directory', configuration: { path } }
  const { id } = await call<{ id: string }>('POST', '/knowledge-sources', body)
  await call('POST', `/knowledge-sources/${id}/sync`, {})
  let isSynced = false
  const syncing = until(
    () => call<{ status: string }>('GET', `/knowledge-sources/${id}`),
    ({ status }) => status === 'active' || status === 'error',
  ).then(() => {
    isSynced = true
  })
  const busy = await load(target, users, true, { pause, isOver: () => isSynced })
  await syncing
  const ratio = (busy.p99 / quiet.p99).toFixed(2)
  print(
    `Chat turns, ${users} at once: p50 / p99 ${quiet.p50.toFixed(1)} / ${quiet.p99.toFixed(1)} ms on an idle server, ${busy.p50.toFixed(1)} / ${busy.p99.toFixed(1)} ms while ${path} chunks are synced (p99 × ${ratio})`,
  )
  await call('DELETE', `/knowledge-sources/${id}`)
  await provider.stop()
}
