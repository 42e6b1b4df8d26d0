/** Milliseconds of work after which other events are handled. */
const sliceMs = 4

export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Calls `work` for each item and yields to the event loop every few milliseconds. */
export async function forEachYielding<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let started = performance.now()
  for (const item of items) {
    work(item)
    if (performance.now() - started < sliceMs) continue
    await yieldToEventLoop()
    started = performance.now()
  }
  await yieldToEventLoop()
}
