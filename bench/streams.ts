import { connect } from 'node:net'
import { streamAims as aims } from './aims.ts'
import { type Bench, quantile } from './bench.ts'
import { headers, parleyTarget, readMemory, turn } from './load.ts'
import { cpuSeconds, startProvider } from './processes.ts'

const deltas = 50

export const streams: Bench = {
  about:
    'a thousand replies that stream at the same time, 20 deltas a second each: how evenly the deltas arrive, and what a stream costs.',

  async measure() {
    const count = Number(process.env.BENCH_STREAMS ?? 1000)
    const provider = await startProvider({ DELAY: '50' })
    const parley = await parleyTarget(provider.url)
    await Promise.all(Array.from({ length: 50 }, async () => turn(parley, await parley.newConversation(), true)))
    const conversations: string[] = []
    for (let n = 0; n < count; n++) conversations.push(await parley.newConversation())
    const memory = readMemory(parley)
    const before = cpuSeconds(parley)
    const gaps: number[] = []
    let maxMemory = 0
    const watching = setInterval(() => {
      maxMemory = Math.max(maxMemory, readMemory(parley))
    }, 100)
    const started = performance.now()
    await Promise.all(
      conversations.map(async (conversation, index) => {
        await new Promise((resolve) => setTimeout(resolve, (index / count) * 1000))
        await listen(new URL(`${parley.url}/api/conversations/${conversation}/messages`), (gap) => gaps.push(gap))
      }),
    )
    const elapsed = (performance.now() - started) / 1000
    clearInterval(watching)
    const cpu = cpuSeconds(parley) - before
    await parley.stop()
    await provider.stop()
    const name = `${count.toLocaleString('en')} streams`
    return [
      { name: `${name}, between two deltas, p50`, value: quantile(gaps, 0.5), unit: 'ms' },
      { name: `${name}, between two deltas, p99`, value: quantile(gaps, 0.99), unit: 'ms', aim: aims.gap },
      { name: `${name}, processor`, value: cpu / elapsed, unit: 'cores', aim: aims.processor },
      { name: `${name}, processor time of a delta`, value: (cpu / (count * deltas)) * 1e6, unit: 'µs' },
      { name: `${name}, memory of each`, value: ((maxMemory - memory) * 1024) / count, unit: 'KiB', aim: aims.memory },
    ]
  },
}

/** Sends a message and times the response bytes without parsing them, because the client shares the machine. */
function listen({ hostname, port, pathname }: URL, onGap: (milliseconds: number) => void): Promise<void> {
  const body = JSON.stringify({ message: 'Speak', stream: true })
  const lines = Object.entries({ ...headers, host: hostname, 'content-length': body.length, connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return new Promise((resolve, reject) => {
    let last = 0
    let isFirst = true
    const socket = connect(Number(port), hostname, () =>
      socket.write(`POST ${pathname} HTTP/1.1\r\n${head}\r\n${body}`),
    )
    socket.on('data', (bytes) => {
      const now = performance.now()
      if (isFirst && !bytes.subarray(0, 12).equals(ok)) reject(new Error(bytes.toString()))
      isFirst = false
      if (!bytes.includes('text.delta')) return // the end comes when the model says so, not when the last word was there
      if (last > 0) onGap(now - last)
      last = now
    })
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
}

const ok = Buffer.from('HTTP/1.1 200')
