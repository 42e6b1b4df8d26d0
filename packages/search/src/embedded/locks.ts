/** Runs tasks with the same name one after the other. */
export class Locks {
  readonly #last = new Map<string, Promise<void>>()

  run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(task)
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

  /** Resolves when all tasks so far are finished. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}
