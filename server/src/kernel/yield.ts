import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Returns a function that lets other work of the event loop run whenever this much time has passed. */
export function yieldEvery(milliseconds: number): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < milliseconds) return
    await yieldToEventLoop()
    since = performance.now()
  }
}
