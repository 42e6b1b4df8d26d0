/** Work under the same name runs one after the other. */
export class Locks {
  readonly #last = new Map<string, Promise<void>>()

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(work)
    const settled = result.then(
      () => {},
      () => {},
    )
    this.#last.set(name, settled)
    settled.then(() => {
      if (this.#last.get(name) === settled) this.#last.delete(name)
    })
    return result
  }

  /** Settles when all that was asked for so far is done. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}
