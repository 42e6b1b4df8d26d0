import { apiOf, until } from '../api.ts'
import { chatTarget, load } from '../chat.ts'
import { type Running, startProvider } from '../processes.ts'
import { print } from '../retrieval/report.ts'

const talkers = 4
/** People read before they write again: milliseconds. */
const pause = 25

/** Whether people who chat notice that a folder is being read. */
export async function chatBesideSync(parley: Running, path: string): Promise<void> {
  const { call } = apiOf(parley)
  const provider = await startProvider()
  const target = await chatTarget(parley, provider.url)
  await load(target, talkers, true) // until everything is compiled
  const quiet = await load(target, talkers, true, { pause })
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
  const busy = await load(target, talkers, true, { pause, isOver: () => isSynced })
  await syncing
  const ratio = (busy.p99 / quiet.p99).toFixed(2)
  print(
    `Chat turns, ${talkers} at once: p50 / p99 ${quiet.p50.toFixed(1)} / ${quiet.p99.toFixed(1)} ms on an idle server, ${busy.p50.toFixed(1)} / ${busy.p99.toFixed(1)} ms while ${path} chunks are read (p99 × ${ratio})`,
  )
  await call('DELETE', `/knowledge-sources/${id}`)
  await provider.stop()
}
