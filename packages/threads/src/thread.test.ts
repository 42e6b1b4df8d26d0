import { expect, it, onTestFinished, vi } from 'vitest'
import type { SampleMethods } from '../test/sample-worker.ts'
import { createThread, type ThreadOptions } from './thread.ts'

const module = new URL('../test/sample-worker.ts', import.meta.url)

function sample(options: Partial<ThreadOptions> = {}) {
  const thread = createThread<SampleMethods>(module, { name: 'sample', workerData: 'Hello', ...options })
  onTestFinished(() => thread.stop())
  return thread
}

it('starts with the first call and returns results', async () => {
  const thread = sample()
  expect(thread.isRunning()).toBe(false)
  expect(await thread.call('greet', ['Ada'])).toBe('Hello Ada')
  expect(thread.isRunning()).toBe(true)
  expect(await thread.memoryMb()).toBeGreaterThan(1)
})

it('runs calls of a shared thread side by side', async () => {
  const thread = sample()
  const slow = thread.call('untilReleased', [])
  expect(await thread.call('greet', ['Ada'])).toBe('Hello Ada')
  await thread.call('release', [])
  await slow
})

it('passes on the progress of each call, from a thread and from a process', async () => {
  for (const options of [{}, { process: { memoryMb: 256 } }]) {
    const thread = sample(options)
    const counted = async (to: number) => {
      const progress: unknown[] = []
      await thread.call('count', [to], { onProgress: (value) => progress.push(value) })
      return progress
    }
    expect(await Promise.all([counted(3), counted(2)])).toEqual([
      [1, 2, 3],
      [1, 2],
    ])
    expect(await thread.call('count', [2])).toBe(2)
  }
})

it('transfers buffers instead of copying them', async () => {
  const bytes = new Uint8Array(1000)
  expect(await sample().call('size', [bytes], { transfer: [bytes.buffer] })).toBe(1000)
  expect(bytes.length).toBe(0)
})

it('rejects a call whose arguments cannot be cloned, and runs the next one', async () => {
  const thread = sample({ exclusive: true })
  const failed = thread.call('greet', [(() => {}) as unknown as string])
  const next = thread.call('greet', ['Ada'])
  await expect(failed).rejects.toMatchObject({ name: 'DataCloneError' })
  expect(await next).toBe('Hello Ada')
})

it('passes on the message and the fields of an error', async () => {
  await expect(sample().call('fail', [])).rejects.toMatchObject({
    message: 'It went wrong.',
    details: { code: 'E_SAMPLE', pages: 3 },
  })
})

it('rejects running calls when the thread crashes, and starts again', async () => {
  const thread = sample()
  const other = thread.call('later', [10_000, 'never'])
  await expect(thread.call('crash', [])).rejects.toMatchObject({ code: 'crashed' })
  await expect(other).rejects.toMatchObject({ code: 'crashed' })
  expect(await thread.call('greet', ['again'])).toBe('Hello again')
})

it('says why a thread cannot start, to every call, without trying for ever', async () => {
  const thread = sample({ workerData: 'broken' })
  const calls = [thread.call('greet', ['a']), thread.call('greet', ['b'])]
  for (const call of calls) await expect(call).rejects.toThrow('It cannot start.')
  const missing = createThread(new URL('file:///nowhere/worker.ts'), { name: 'missing' })
  await expect(missing.call('greet', ['a'])).rejects.toMatchObject({ code: 'crashed' })
})

it('stops an exclusive thread whose call takes too long, and runs the next call', async () => {
  const thread = sample({ exclusive: true })
  const spinning = thread.call('spin', [], { timeoutMs: 50 })
  const next = thread.call('greet', ['next'])
  await expect(spinning).rejects.toMatchObject({ code: 'timeout', message: 'The sample thread took too long.' })
  expect(await next).toBe('Hello next')
})

it('counts the time limit from the moment the call runs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const thread = sample({ exclusive: true })
  const first = thread.call('greet', ['first'])
  const second = thread.call('greet', ['second'], { timeoutMs: 100 })
  vi.advanceTimersByTime(1000) // while the second one waits for the first
  expect(await Promise.all([first, second])).toEqual(['Hello first', 'Hello second'])
})

it('stops a call that uses too much processor time', async () => {
  const thread = sample({ exclusive: true })
  await expect(thread.call('spin', [], { cpuSeconds: 0.2 })).rejects.toMatchObject({ code: 'timeout' })
})

it('does not count waiting as processor time', async () => {
  const thread = sample()
  await thread.call('greet', ['warm up'])
  expect(await thread.call('later', [1500, 'rested'], { cpuSeconds: 1 })).toBe('rested')
})

it('aborts calls that wait and calls that run', async () => {
  const thread = sample({ exclusive: true })
  const [running, waiting] = [new AbortController(), new AbortController()]
  const spinning = thread.call('spin', [], { signal: running.signal })
  const queued = thread.call('greet', ['queued'], { signal: waiting.signal })
  waiting.abort(new Error('not needed'))
  await expect(queued).rejects.toThrow('not needed')
  running.abort(new Error('stop it'))
  await expect(spinning).rejects.toThrow('stop it')
  expect(await thread.call('greet', ['next'])).toBe('Hello next')
})

it('takes turns between the keys of calls that wait, and limits how many wait', async () => {
  const thread = sample({ exclusive: true, maxWaitingPerKey: 2 })
  await thread.call('greet', ['warm up'])
  const finished: string[] = []
  const call = async (key: string, value: string) => finished.push(await thread.call('later', [1, value], { key }))
  const calls = [call('a', 'running'), call('a', 'a1'), call('a', 'a2'), call('b', 'b1')]
  await expect(call('a', 'a3')).rejects.toMatchObject({
    code: 'overloaded',
    message: 'The sample thread has too many calls waiting; try again later.',
  })
  await Promise.all(calls)
  expect(finished).toEqual(['running', 'a1', 'b1', 'a2'])
})

it('an aborted call of a shared thread leaves the others alone', async () => {
  const thread = sample()
  const controller = new AbortController()
  const other = thread.call('later', [50, 'other'])
  const aborted = thread.call('later', [10_000, 'never'], { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  expect(await other).toBe('other')
})

it('ends when idle and starts again', async () => {
  const thread = sample({ idleMs: 20 })
  await thread.call('greet', ['Ada'])
  await expect.poll(() => thread.isRunning()).toBe(false)
  expect(await thread.call('greet', ['Ada'])).toBe('Hello Ada')
})

it('lets running calls finish when it closes, and rejects those that wait', async () => {
  const thread = sample({ exclusive: true })
  await thread.call('greet', ['warm up'])
  const running = thread.call('later', [50, 'finished'])
  const waiting = thread.call('greet', ['too late'])
  const refused = expect(waiting).rejects.toMatchObject({ code: 'closed' })
  await Promise.all([thread.close(), refused])
  expect(await running).toBe('finished')
  await expect(thread.call('greet', ['later'])).rejects.toMatchObject({ code: 'closed' })
})

it('an isolated thread sees no environment', async () => {
  expect(await sample({ isolated: true }).call('environment', [])).toBe(0)
})
