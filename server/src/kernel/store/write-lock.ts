/** SQLite allows one writer at a time. Writers wait here, because waiting for SQLite's lock blocks the event loop. */
export class WriteLock {
  #last: Promise<void> = Promise.resolve()

  /** Resolves, in the order of the calls, with the function that releases the lock. */
  async acquire(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const previous = this.#last
    this.#last = promise
    await previous
    return resolve
  }
}
