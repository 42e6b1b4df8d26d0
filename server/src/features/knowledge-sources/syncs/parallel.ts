/** Items beyond the limit that wait for something else may hold a file or a text each. */
const maxLeft = 100

/**
 * Runs `work` for a limited number of items at a time. Work that waits for something that does not depend on the others calls
 * `leave`: then another item takes its place. Throws the first failure once the running ones have ended.
 */
export async function inParallel<T, R>(
  items: AsyncGenerator<T, R> | Generator<T, R>,
  limit: number,
  work: (item: T, leave: () => void) => Promise<void>,
): Promise<R> {
  const running = new Set<Promise<void>>()
  const slots = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  const start = (item: T) => {
    const slot = Promise.withResolvers<void>()
    const leave = () => {
      slots.delete(slot.promise)
      slot.resolve()
    }
    const task = work(item, () => running.size - slots.size < maxLeft && leave())
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => {
        running.delete(task)
        leave()
      })
    running.add(task)
    slots.add(slot.promise)
  }
  try {
    for (;;) {
      const next = await items.next()
      if (next.done) {
        await Promise.all(running)
        if (failure) throw failure.error
        return next.value
      }
      start(next.value)
      if (slots.size >= limit) await Promise.race(slots)
      if (failure) throw failure.error
    }
  } finally {
    await Promise.all(running)
    await items.return(undefined as R)
  }
}
