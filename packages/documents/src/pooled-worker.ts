import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { startThread } from '@parley/threads'
import { reason } from '../../../server/src/kernel/errors.ts'
import { DocumentError, type Limits, ScanError } from './document.ts'
import type { Answer, Failure, Kind, Results, Tasks } from './parser-worker.ts'

type Bounds = Pick<Limits, 'seconds' | 'memoryMegabytes'>

const watchMilliseconds = 100
/** How long a thread may take to tell how much time it has used, in milliseconds. */
const patience = 500
/** A document may take this many times as long as it may keep the processor busy. */
const longestFactor = 5
// A worker that had to grow beyond this is not kept, so that one large document does not hold memory for ever.
const mostKeptMegabytes = 512

/** A worker thread that does one task at a time and can always be stopped in the middle of it. */
export class PooledWorker {
  readonly #worker: Worker
  #alive = true

  constructor(memoryMegabytes: number) {
    // The environment may hold secrets that nothing in a document should get near to.
    this.#worker = startThread(new URL('./parser-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    })
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#worker.on('error', () => {})
    this.#worker.on('exit', () => {
      this.#alive = false
    })
    this.#worker.unref()
  }

  get alive(): boolean {
    return this.#alive
  }

  async stop(): Promise<void> {
    this.#alive = false
    await this.#worker.terminate()
  }

  /** Whether it may wait for another task. */
  async isWorthKeeping(): Promise<boolean> {
    if (!this.#alive) return false
    const { total_heap_size: heap, external_memory: external } = await this.#worker.getHeapStatistics()
    return heap + external < mostKeptMegabytes * 1024 * 1024
  }

  async run<K extends Kind>(kind: K, task: Tasks[K], bounds: Bounds, signal?: AbortSignal): Promise<Results[K]> {
    this.#worker.ref()
    try {
      return await this.#perform(kind, task, bounds, signal)
    } finally {
      this.#worker.unref()
    }
  }

  #perform<K extends Kind>(kind: K, task: Tasks[K], bounds: Bounds, signal?: AbortSignal): Promise<Results[K]> {
    const { promise, resolve, reject } = Promise.withResolvers<Results[K]>()
    const giveUp = (error: unknown) => {
      reject(error)
      void this.stop()
    }
    const onMessage = (answer: Answer<K>) => {
      if ('result' in answer) resolve(answer.result)
      else reject(failureOf(answer.failure))
    }
    const onError = (error: unknown) => reject(isOutOfMemory(error) ? outOfMemory(bounds) : crashed(reason(error)))
    const onExit = () => reject(crashed('its process stopped'))
    const onAbort = () => giveUp(signal?.reason)
    const stopTiming = this.#whenOutOfTime(bounds, () => giveUp(outOfTime(bounds)))
    const watch = setInterval(() => this.#watchMemory(bounds, giveUp), watchMilliseconds)
    this.#worker.once('message', onMessage).once('error', onError).once('exit', onExit)
    signal?.addEventListener('abort', onAbort)
    this.#worker.postMessage({ kind, task })
    return promise.finally(() => {
      stopTiming()
      clearInterval(watch)
      this.#worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  /** What counts is the time of the processor: the thread lets others go first and may have had little of it. */
  #whenOutOfTime({ seconds }: Bounds, isOver: () => void): () => void {
    const started = performance.now()
    const before = this.#worker.cpuUsage()
    before.catch(() => {}) // it has just stopped, which is reported elsewhere
    const used = async (): Promise<number> => {
      const { user, system } = await this.#worker.cpuUsage(await before)
      return (user + system) / 1e6
    }
    const check = async () => {
      // A thread that is deep in something does not tell.
      const taken = await Promise.race([used().catch(() => seconds), delay(patience, seconds)])
      if (taken >= seconds || performance.now() - started > longestFactor * seconds * 1000) isOver()
      else timer = setTimeout(check, Math.max(0.1, seconds - taken) * 1000)
    }
    let timer = setTimeout(check, seconds * 1000)
    return () => clearTimeout(timer)
  }

  /** The thread's own limit does not count buffers outside of its heap, such as a stream that a PDF unpacks. */
  #watchMemory(bounds: Bounds, giveUp: (error: unknown) => void): void {
    this.#worker.getHeapStatistics().then(
      ({ used_heap_size: heap, external_memory: external }) => {
        if (heap + external > bounds.memoryMegabytes * 1024 * 1024) giveUp(outOfMemory(bounds))
      },
      () => {}, // it has just stopped, which is reported elsewhere
    )
  }
}

const failureOf = ({ code, message, pages }: Failure): Error =>
  pages === undefined ? new DocumentError(code, message) : new ScanError(pages)

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const outOfMemory = ({ memoryMegabytes }: Bounds): DocumentError =>
  new DocumentError('memory', `Reading the document took more than ${memoryMegabytes} MB of memory and was stopped.`)

const outOfTime = ({ seconds }: Bounds): DocumentError =>
  new DocumentError('timeout', `Reading the document took longer than ${seconds} seconds and was stopped.`)

const crashed = (why: string): DocumentError =>
  new DocumentError('crashed', `Reading the document failed unexpectedly (${why}).`)
