import type { Worker } from 'node:worker_threads'
import { startThread } from '@parley/threads'
import { minute } from '../../../kernel/time.ts'
import type { Answer, Kind, Results, Tasks } from './worker.ts'

interface Bounds {
  milliseconds: number
  megabytes: number
}

const idleFor = 10 * minute

/** A task that was stopped, or that its thread did not survive. */
export class ThreadError extends Error {}

/**
 * A thread for work on things that others wrote: schemas, documents, expressions. One task at a time; a task that takes
 * too long is stopped together with the thread, and the next one gets a new thread.
 */
export class StoppableThread {
  readonly #bounds: Bounds
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #ready: Promise<unknown> | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  run<K extends Kind>(kind: K, task: Tasks[K]): Promise<Results[K]> {
    const mine = this.#last.then(() => this.#perform(kind, task))
    this.#last = mine.catch(() => {})
    return mine
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #perform<K extends Kind>(kind: K, task: Tasks[K]): Promise<Results[K]> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    await this.#ready
    if (this.#worker !== worker) throw new ThreadError('its thread was stopped')
    worker.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Results[K]>()
    const fail = (why: string) => {
      reject(new ThreadError(why))
      if (this.#worker === worker) this.#worker = undefined
      void worker.terminate()
    }
    const onMessage = (answer: Answer<K>) =>
      'result' in answer ? resolve(answer.result) : reject(new ThreadError(answer.failure))
    const onError = () => fail('it needed too much memory')
    const onExit = () => fail('its thread was stopped')
    const timer = setTimeout(() => fail('it took too long'), this.#bounds.milliseconds)
    worker.once('message', onMessage).once('error', onError).once('exit', onExit)
    worker.postMessage({ kind, task })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      worker.unref()
      this.#idle = setTimeout(() => void this.close(), idleFor).unref()
    }
  }

  #start(): Worker {
    // The environment may hold secrets, and nothing in there needs it.
    const worker = startThread(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#bounds.megabytes },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    })
    worker.stdout.resume()
    worker.stderr.resume()
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#ready = started(worker)
    return worker
  }
}

/** Either way: a thread that could not start is found out by its first task. */
const started = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('message', () => resolve()).once('exit', () => resolve())
  })
