// npm run bench -w @parley/threads: calls a second, one after the other and side by side, and the time of a start.

import { createThread } from '../src/thread.ts'
import type { SampleMethods } from '../test/sample-worker.ts'

const calls = 20_000
const module = new URL('../test/sample-worker.ts', import.meta.url)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const started = performance.now()
const thread = createThread<SampleMethods>(module, { name: 'bench', workerData: 'Hello' })
await thread.call('greet', ['you'])
print(`start and first call: ${(performance.now() - started).toFixed(0)} ms`)

const rate = async (work: () => Promise<unknown>): Promise<string> => {
  const since = performance.now()
  await work()
  return ((calls / (performance.now() - since)) * 1000).toFixed(0)
}
const oneByOne = await rate(async () => {
  for (let n = 0; n < calls; n++) await thread.call('greet', ['you'])
})
print(`one after the other: ${oneByOne} calls/s`)
const sideBySide = await rate(() => Promise.all(Array.from({ length: calls }, () => thread.call('greet', ['you']))))
print(`side by side: ${sideBySide} calls/s`)
await thread.close()
