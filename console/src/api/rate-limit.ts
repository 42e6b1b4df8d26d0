import { isParleyError } from '@parley/client'
import { useSyncExternalStore } from 'react'

/** When requests that the rate limit has refused are repeated (milliseconds). */
let until = 0
const listeners = new Set<() => void>()

/** Notes that a request waits before it is repeated. */
export function noteWait(error: unknown, wait: number): void {
  if (!isParleyError(error, 'rate_limited')) return
  until = Math.max(until, Date.now() + wait)
  for (const listener of listeners) listener()
}

/** When the requests that wait are repeated. */
export const useWaitUntil = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => until,
  )
