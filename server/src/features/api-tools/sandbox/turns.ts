import { ThreadError } from '@parley/threads'

interface Waiting {
  start(): void
}

/** Runs the tasks of each key one after another, so that one key cannot hold all threads. */
export class Turns {
  /** The tasks that wait behind a running one, by key. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  readonly #maxWaiting: number

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  async run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.#enter(key, signal)
    try {
      return await task()
    } finally {
      this.#leave(key)
    }
  }

  #enter(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const waiting = this.#waiting.get(key)
    if (!waiting) {
      this.#waiting.set(key, new Set())
      return Promise.resolve()
    }
    if (waiting.size >= this.#maxWaiting) throw new ThreadError('overloaded', 'Too many calls are waiting.')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: Waiting = { start: resolve }
    const onAbort = () => {
      if (waiting.delete(entry)) reject(signal.reason)
    }
    waiting.add(entry)
    signal.addEventListener('abort', onAbort)
    return promise.finally(() => signal.removeEventListener('abort', onAbort))
  }

  #leave(key: string): void {
    const waiting = this.#waiting.get(key)
    const [next] = waiting ?? []
    if (!next) {
      this.#waiting.delete(key)
      return
    }
    waiting?.delete(next)
    next.start()
  }
}
