import { connect } from 'node:net'
import { headers, memoryOf, parleyTarget, turn } from './chat.ts'
import { cpuSeconds, startProvider } from './processes.ts'
import { printTable } from './table.ts'

/** Many streams at the pace of speech: how evenly the words come, and what a stream costs. */
export async function liveStreams(): Promise<void> {
  const count = Number(process.env.BENCH_STREAMS ?? 1000)
  const provider = await startProvider({ DELAY: '50' })
  const parley = await parleyTarget(provider.url)
  await Promise.all(Array.from({ length: 50 }, async () => turn(parley, await parley.newConversation(), true)))
  const conversations: string[] = []
  for (let n = 0; n < count; n++) conversations.push(await parley.newConversation())
  const memory = memoryOf(parley)
  const before = cpuSeconds(parley)
  const gaps: number[] = []
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, memoryOf(parley))
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
  gaps.sort((a, b) => a - b)
  printTable(
    `${count} live streams at 20 deltas a second`,
    ['gap p50 ms', 'gap p99 ms', 'cores used', 'CPU µs a delta', 'KiB a stream'],
    [
      [
        (gaps[Math.floor(gaps.length / 2)] ?? 0).toFixed(0),
        (gaps[Math.floor(gaps.length * 0.99)] ?? 0).toFixed(0),
        (cpu / elapsed).toFixed(2),
        ((cpu / (count * 50)) * 1e6).toFixed(0),
        (((most - memory) * 1024) / count).toFixed(0),
      ],
    ],
  )
  await parley.stop()
  await provider.stop()
}

/** Sends a message and times what comes back, as bytes: the listener shares the machine and should cost it little. */
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
