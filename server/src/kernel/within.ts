import { setTimeout as delay } from 'node:timers/promises'

/** Rejects if the work takes longer than this many milliseconds. The work itself is not stopped. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = delay(milliseconds, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error(`no response within ${milliseconds} ms`)
  })
  late.catch(() => {}) // it is aborted when the work has ended
  work.catch(() => {}) // it may fail after nobody waits for it any more
  try {
    return await Promise.race([work, late])
  } finally {
    ended.abort()
  }
}
