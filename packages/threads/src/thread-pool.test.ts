import { expect, it, onTestFinished } from 'vitest'
import type { SampleMethods } from '../test/sample-worker.ts'
import { createThreadPool, type ThreadPoolOptions } from './thread-pool.ts'

const module = new URL('../test/sample-worker.ts', import.meta.url)

function samplePool(options: Partial<ThreadPoolOptions> = {}) {
  const pool = createThreadPool<SampleMethods>(module, {
    name: 'sample',
    workerData: 'Hello',
    size: 2,
    idleMs: 10_000,
    ...options,
  })
  onTestFinished(() => pool.stop())
  return pool
}

it('runs as many tasks at once as it has threads, the others in order', async () => {
  const pool = samplePool()
  const { promise: othersDone, resolve } = Promise.withResolvers<void>()
  const finished: number[] = []
  const task = async (number: number, more: Promise<void> = Promise.resolve()) => {
    await pool.use(async (thread) => {
      await thread.call('greet', ['Ada'])
      await more
    })
    finished.push(number)
  }
  const first = task(1, othersDone)
  await Promise.all([task(2), task(3), task(4)])
  resolve()
  await first
  expect(finished).toEqual([2, 3, 4, 1])
  expect(pool.size()).toBe(2)
})

it('takes turns between keys, and limits how many tasks of one key wait', async () => {
  const pool = samplePool({ size: 1, maxWaitingPerKey: 3 })
  const finished: string[] = []
  const task = async (key: string, name: string) => {
    await pool.use((thread) => thread.call('later', [1, '']), { key })
    finished.push(name)
  }
  const tasks = [task('a', 'running'), task('a', 'a1'), task('a', 'a2'), task('a', 'a3'), task('b', 'b1')]
  await expect(task('a', 'a4')).rejects.toMatchObject({
    code: 'overloaded',
    message: 'The sample threads have too many tasks waiting; try again later.',
  })
  await Promise.all(tasks)
  expect(finished).toEqual(['running', 'a1', 'b1', 'a2', 'a3'])
})

it('leaves a thread to others, however many tasks one key has', async () => {
  const pool = samplePool({ maxRunningPerKey: 1 })
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const finished: string[] = []
  const task = async (key: string, until?: Promise<unknown>) => {
    await pool.use<unknown>((thread) => until ?? thread.call('greet', ['Ada']), { key })
    finished.push(key)
  }
  const slow = [task('a/x', isReleased), task('a/x', isReleased), task('a/x', isReleased)]
  await Promise.all([task('b/z'), task('a/y'), task('a/y')])
  expect(finished).toEqual(expect.arrayContaining(['b/z', 'a/y', 'a/y']))
  release()
  await Promise.all(slow)
  expect(finished).toEqual([...finished.slice(0, 3), 'a/x', 'a/x', 'a/x'])
})

it('replaces a thread that a task has killed', async () => {
  const pool = samplePool({ size: 1 })
  const killed = pool.use((thread) => thread.call('spin', [], { timeoutMs: 20 }))
  const next = pool.use((thread) => thread.call('greet', ['next']))
  await expect(killed).rejects.toMatchObject({ code: 'timeout' })
  expect(await next).toBe('Hello next')
})

it('ends threads that hold much memory, and all of them when idle', async () => {
  const pool = samplePool({ maxIdleMemoryMb: 1 })
  await pool.use((thread) => thread.call('greet', ['Ada']))
  expect(pool.size()).toBe(0)
  const other = samplePool({ idleMs: 10 })
  await other.use((thread) => thread.call('greet', ['Ada']))
  await expect.poll(() => other.size()).toBe(0)
})

it('gives up a task that waits when it is aborted', async () => {
  const pool = samplePool({ size: 1 })
  const controller = new AbortController()
  const running = pool.use((thread) => thread.call('later', [50, 'done']))
  const waiting = pool.use((thread) => thread.call('greet', ['never']), { signal: controller.signal })
  controller.abort(new Error('not needed'))
  await expect(waiting).rejects.toThrow('not needed')
  expect(await running).toBe('done')
})

it('starts no thread for a task that has just come when it is stopped', async () => {
  const pool = samplePool()
  const task = expect(pool.use((thread) => thread.call('greet', ['x']))).rejects.toMatchObject({ code: 'closed' })
  await pool.stop()
  await task
  expect(pool.size()).toBe(0)
})

it('stops everything at once', async () => {
  const pool = samplePool({ size: 1 })
  const { promise: isSpinning, resolve: onProgress } = Promise.withResolvers<unknown>()
  const spinning = pool.use((thread) => thread.call('spin', [], { onProgress }))
  const running = expect(spinning).rejects.toMatchObject({ code: 'closed' })
  const waiting = expect(pool.use((thread) => thread.call('greet', ['x']))).rejects.toMatchObject({ code: 'closed' })
  await isSpinning
  await pool.stop()
  await Promise.all([running, waiting])
  await expect(pool.use((thread) => thread.call('greet', ['x']))).rejects.toMatchObject({ code: 'closed' })
})
