import { FairQueue } from './fair-queue.ts'
import type { Methods } from './protocol.ts'
import { createThread, type Thread, type ThreadOptions } from './thread.ts'
import { ThreadError } from './thread-error.ts'

export interface ThreadPoolOptions extends Omit<ThreadOptions, 'exclusive' | 'idleMs'> {
  /** How many threads work at once. */
  size: number
  /** The maximum of running tasks per key, so that one key cannot occupy all threads. Default: the number of threads. */
  maxRunningPerKey?: number
  /** Ends the threads after this long without work. */
  idleMs: number
  /** A thread that holds more than this after its work is ended, so that one large task does not hold memory for ever. */
  maxIdleMemoryMb?: number
}

interface UseOptions {
  signal?: AbortSignal
  /** The owner of the task, such as a workspace, and after a slash a member of it. Owners take turns, and so do members. */
  key?: string
}

/** Threads that do one task at a time each. Waiting tasks start in the order of their arrival, with keys taking turns. */
export interface ThreadPool<M extends Methods> {
  /** Waits for a free thread and lends it for the time of the work. */
  use<T>(work: (thread: Pick<Thread<M>, 'call'>) => Promise<T>, options?: UseOptions): Promise<T>
  /** How many threads there are. */
  size(): number
  /** Stops all threads and rejects waiting tasks. */
  stop(): Promise<void>
}

interface Waiting {
  start(): void
  reject(error: unknown): void
}

export function createThreadPool<M extends Methods>(module: URL, options: ThreadPoolOptions): ThreadPool<M> {
  const { size, idleMs, maxWaitingPerKey, maxRunningPerKey = options.size, ...more } = options
  const { maxIdleMemoryMb = Number.POSITIVE_INFINITY, ...threadOptions } = more
  const threads = new Set<Thread<M>>()
  const idle: Thread<M>[] = []
  const waiting = new FairQueue<Waiting>(maxWaitingPerKey)
  /** The keys of running tasks. */
  const running: string[] = []
  let idleTimer: NodeJS.Timeout | undefined
  let isStopped = false

  const stopped = () => new ThreadError('closed', `The ${options.name} threads are closed.`)
  const overloaded = () =>
    new ThreadError('overloaded', `The ${options.name} threads have too many tasks waiting; try again later.`)

  const hasRoom = (key: string): boolean => running.filter((other) => other === key).length < maxRunningPerKey

  function waitForSlot({ signal, key = '' }: UseOptions): Promise<void> {
    if (running.length < size && hasRoom(key)) {
      running.push(key)
      return Promise.resolve()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = () => {
      running.push(key)
      resolve()
    }
    const entry: Waiting = { start, reject }
    const onAbort = () => {
      if (waiting.remove(key, entry)) reject(signal?.reason)
    }
    if (!waiting.push(key, entry)) throw overloaded()
    signal?.addEventListener('abort', onAbort)
    return promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  /** The next task takes over the slot, so that a new one cannot overtake it. */
  function releaseSlot(key = ''): void {
    running.splice(running.indexOf(key), 1)
    waiting.shift(hasRoom)?.start()
    if (running.length === 0) idleTimer = setTimeout(endIdle, idleMs).unref()
  }

  function newThread(): Thread<M> {
    const thread = createThread<M>(module, { ...threadOptions, exclusive: true })
    threads.add(thread)
    return thread
  }

  async function giveBack(thread: Thread<M>): Promise<void> {
    const memory = await thread.memoryMb().catch(() => Number.POSITIVE_INFINITY)
    if (!isStopped && thread.isRunning() && memory < maxIdleMemoryMb) idle.push(thread)
    else await remove(thread)
  }

  async function remove(thread: Thread<M>): Promise<void> {
    threads.delete(thread)
    await thread.stop()
  }

  function endIdle(): void {
    for (const thread of idle.splice(0)) void remove(thread)
  }

  return {
    async use(work, useOptions = {}) {
      useOptions.signal?.throwIfAborted()
      if (isStopped) throw stopped()
      clearTimeout(idleTimer)
      await waitForSlot(useOptions)
      if (isStopped) throw stopped() // in the meantime
      const thread = idle.pop() ?? newThread()
      try {
        return await work(thread)
      } finally {
        await giveBack(thread)
        releaseSlot(useOptions.key)
      }
    },
    size: () => threads.size,
    async stop() {
      isStopped = true
      clearTimeout(idleTimer)
      for (const { reject } of waiting.clear()) reject(stopped())
      idle.length = 0
      await Promise.all([...threads].map(remove))
    },
  }
}
