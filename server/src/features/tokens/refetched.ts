import type { Clock } from '../../kernel/time.ts'

interface Ages {
  /** Older values are fetched again. */
  maxAge: number
  /** While fetching fails, the last value is used up to this age. */
  maxStaleAge: number
  /** Milliseconds between two attempts. */
  cooldown: number
}

export interface Refetched<T> {
  get(): Promise<T>
  /** Fetches again before the time; null if that was tried a moment ago. */
  refetch(): Promise<T | null>
}

/** A value of another service, fetched when it is needed and kept for a time. */
export function refetched<T>(
  now: Clock,
  { maxAge, maxStaleAge, cooldown }: Ages,
  fetchIt: () => Promise<T>,
): Refetched<T> {
  let held: { value: T; at: number } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let fetching: Promise<T> | undefined

  const load = (): Promise<T> => {
    fetching ??= attempt().finally(() => {
      fetching = undefined
    })
    return fetching
  }
  async function attempt(): Promise<T> {
    triedAt = now()
    const value = await fetchIt()
    held = { value, at: now() }
    return value
  }
  const isCoolingDown = () => now() - triedAt < cooldown
  const usable = () => (held && now() - held.at < maxStaleAge ? held : undefined)

  return {
    async get() {
      if (held && now() - held.at < maxAge) return held.value
      if (isCoolingDown() && !fetching) {
        const old = usable()
        if (old) return old.value
      }
      try {
        return await load()
      } catch (error) {
        const old = usable()
        if (old) return old.value
        throw error
      }
    },
    async refetch() {
      return isCoolingDown() ? null : load()
    },
  }
}
