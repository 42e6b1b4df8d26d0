/** SQLite has one writer at a time. Who wants to write waits here, off the event loop, instead of for SQLite's lock. */
export class WriteLock {
  #last: Promise<void> = Promise.resolve()

  /** Resolves with the function that releases the lock, in the order of the calls. */
  async acquire(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    await before
    return resolve
  }
}
