import { FairQueue } from '@parley/threads'

/** Limits how many tasks run at once. Keys, such as workspaces, take turns. */
export class Slots {
  #free: number
  readonly #waiting = new FairQueue<() => void>()

  constructor(size: number) {
    this.#free = size
  }

  async use<T>(key: string, task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(key, resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
