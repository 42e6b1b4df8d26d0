import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from './client.ts'
import { token } from './cluster.ts'
import type { Finding } from './evidence.ts'
import { NodeProcess } from './node-process.ts'
import { countingProvider } from './provider.ts'
import { pause, within } from './wait.ts'

/** Free space at the start of the load. */
const roomKilobytes = 1500
const users = 8
const maxReplies = 100
const minRefusals = 40
const padding = 'x'.repeat(10_000)

/** One process on SQLite, whose disk fills while clients talk. Then it starts again with room. */
export async function fullDisk(report: (line: string) => void): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-full-disk-'))
  const provider = await countingProvider()
  const environment = { DATA_DIR: folder, ADMIN_TOKEN: token, RATE_LIMIT: '0', DEMO: 'false', LOG_LEVEL: 'silent' }
  const first = new NodeProcess('embedded', environment, `${folder}.log`)
  first.start()
  await within(60, async () => first.isReady)
  await first.stop()
  const largest = Math.max(...readdirSync(folder).map((name) => statSync(join(folder, name)).size))
  const maxFileKilobytes = Math.ceil(largest / 1024) + roomKilobytes
  const limited = new NodeProcess('embedded', environment, `${folder}.log`, { maxFileKilobytes })
  const roomy = new NodeProcess('embedded', environment, `${folder}.log`)
  const ask = async (node: NodeProcess, path: string, body?: object): Promise<{ status: number; body: Json }> => {
    const response = await fetch(`${node.url}/api${path}`, {
      signal: AbortSignal.timeout(20_000),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  try {
    limited.start()
    await within(60, async () => limited.isReady)
    const pricing = { input: 0.001, output: 0.002 }
    const model = { name: 'M', provider: 'openai-compatible', model_id: 'm', endpoint: provider.url, pricing }
    const { id: model_id } = (await ask(limited, '/models', model)).body.data
    const { id: agent_id } = (await ask(limited, '/agents', { name: 'A', model_id })).body.data
    const told: { conversation: string; reply: Json }[] = []
    let refusals = 0
    const talk = async (name: string): Promise<boolean> => {
      const message = `${padding} #disk-${name}`
      const messages = [{ role: 'user', content: message }]
      const chat = await ask(limited, '/openai/v1/chat/completions', { model: agent_id, messages })
      const { data } = (await ask(limited, '/conversations', { agent_id })).body
      const answer = data && (await ask(limited, `/conversations/${data.id}/messages`, { message }))
      if (answer?.status !== 200) return false
      told.push({ conversation: data.id, reply: answer.body.data })
      return chat.status === 200
    }
    const user = async (name: number) => {
      for (let n = 0; n < maxReplies && refusals < minRefusals; n++) {
        if (await talk(`${name}-${n}`).catch(() => false)) continue
        refusals++
        await pause(200)
      }
    }
    await Promise.all(Array.from({ length: users }, (_, name) => user(name)))
    const health = await ask(limited, '/health').catch(() => null)
    report(`the disk was full after ${told.length} replies; ${refusals} refusals; health ${health?.status}`)
    await limited.stop()
    roomy.start()
    await within(60, async () => roomy.isReady)
    const lost: string[] = []
    for (const { conversation, reply } of told) {
      const { body } = await ask(roomy, `/conversations/${conversation}`)
      const stored = body.data?.messages.find((message: Json) => message.id === reply.id)
      if (stored?.status !== reply.status || stored.content !== reply.content)
        lost.push(`${reply.id}: ${stored?.status}`)
    }
    const stats = (await ask(roomy, '/usage/stats')).body.data
    const { requests = 0 } = stats.by_model[model_id] ?? {}
    const unbilled = requests === provider.calls.length ? [] : [`${provider.calls.length} calls, ${requests} rows`]
    const works = (await ask(roomy, '/conversations', { agent_id })).status === 201 ? [] : ['it does not work again']
    const noRefusal = refusals > 0 && told.length > 0 ? [] : ['the disk was never full, or from the start']
    return [
      {
        name: 'full disk: acknowledged messages lost',
        checked: told.length,
        faults: [...lost, ...works, ...noRefusal],
      },
      { name: 'full disk: calls without a ledger row', checked: provider.calls.length, faults: unbilled },
    ]
  } finally {
    await limited.stop()
    await roomy.stop()
    await provider.close()
    rmSync(folder, { recursive: true, force: true })
    rmSync(`${folder}.log`, { force: true })
  }
}
