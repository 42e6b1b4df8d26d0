import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import type { SampleMethods } from '../test/sample-worker.ts'
import { createThread, type ThreadOptions } from './thread.ts'

const module = new URL('../test/sample-worker.ts', import.meta.url)
const isLinux = process.platform === 'linux'

function sample(options: Partial<ThreadOptions> = {}) {
  const thread = createThread<SampleMethods>(module, {
    name: 'sample',
    workerData: 'Hello',
    exclusive: true,
    isolated: true,
    process: { memoryMb: 128 },
    ...options,
  })
  onTestFinished(() => thread.stop())
  return thread
}

it('answers calls from a process without an environment', async () => {
  const thread = sample()
  expect(await thread.call('greet', ['Ada'])).toBe('Hello Ada')
  expect(await thread.call('size', [new Uint8Array(5_000_000)])).toBe(5_000_000)
  expect(await thread.call('processId', [])).not.toBe(process.pid)
  expect(await thread.call('environment', [])).toBeLessThanOrEqual(1) // the shell sets PWD
  if (isLinux) expect(await thread.memoryMb()).toBeGreaterThan(10)
  await expect(thread.call('fail', [])).rejects.toMatchObject({ message: 'It went wrong.', details: { pages: 3 } })
})

it.runIf(isLinux)('has a hard limit of memory, for the heap and for buffers, and starts again', async () => {
  const thread = sample()
  const id = await thread.call('processId', [])
  expect(readFileSync(`/proc/${id}/oom_score_adj`, 'utf8').trim()).toBe('1000')
  await expect(thread.call('allocateBuffers', [300])).rejects.toThrow(
    /Array buffer allocation failed|ran out of memory/,
  )
  await expect(thread.call('allocateHeap', [400])).rejects.toMatchObject({ code: 'memory' })
  expect(await thread.call('greet', ['again'])).toBe('Hello again')
})

it('survives a crash that would end the process of the caller, and starts again', async () => {
  const thread = sample()
  await expect(thread.call('crashHard', [])).rejects.toMatchObject({
    code: 'crashed',
    message: expect.stringContaining('ended unexpectedly, by SIGSEGV'),
  })
  await expect(thread.call('crash', [])).rejects.toMatchObject({ code: 'crashed' })
  expect(await thread.call('greet', ['again'])).toBe('Hello again')
})

it('stops a call that takes too long or is aborted, at once', async () => {
  const thread = sample()
  await expect(thread.call('spin', [], { cpuSeconds: 0.3 })).rejects.toMatchObject({ code: 'timeout' })
  await expect(thread.call('spin', [], { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' })
  await expect(thread.call('spin', [], { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')
  const id = await thread.call('processId', [])
  const spinning = expect(thread.call('spin', [])).rejects.toMatchObject({ code: 'closed' })
  await thread.stop()
  await spinning
  expect(() => process.kill(id, 0)).toThrow('ESRCH')
})

it('lets running calls finish when it closes, and ends when idle', async () => {
  const thread = sample({ idleMs: 20 })
  const id = await thread.call('processId', [])
  await expect.poll(() => thread.isRunning()).toBe(false)
  await expect.poll(() => isAlive(id)).toBe(false)
  await thread.call('greet', ['warm up'])
  const large = thread.call('bytes', [10_000_000])
  await thread.close()
  expect((await large).length).toBe(10_000_000)
})

it('says why it cannot start', async () => {
  await expect(sample({ workerData: 'broken' }).call('greet', ['a'])).rejects.toThrow('It cannot start.')
})

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
