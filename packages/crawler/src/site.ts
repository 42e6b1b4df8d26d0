import { setTimeout as delay } from 'node:timers/promises'
import { BlockedError, errorMessage, type Fetcher } from './fetcher.ts'
import { allowAll, disallowAll, parseRobots, type Robots } from './robots.ts'

const maxRobotsBytes = 500 * 1024
const maxCrawlDelayMs = 10_000

/** The time between requests. */
export interface Clock {
  now(): number
  sleep(milliseconds: number, signal: AbortSignal): Promise<unknown>
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
}

/** The rules of one origin, and the pace of requests to it. */
export interface Site {
  /** Why a page must not be read, or null if it may be. */
  disallowedReason(url: URL): string | null
  /** Waits until the next request is allowed. */
  waitTurn(signal: AbortSignal): Promise<void>
  /** Sends no requests for this long. */
  backOff(milliseconds: number): void
}

export async function loadSite(
  fetch: Fetcher,
  origin: string,
  { userAgent, signal, clock }: { userAgent: string; signal: AbortSignal; clock: Clock },
): Promise<Site> {
  const { robots, error } = await loadRobots(fetch, origin, userAgent, signal)
  const delayMs = Math.min((robots.delay ?? 0) * 1000, maxCrawlDelayMs)
  let nextRequestAt = 0
  return {
    disallowedReason(url) {
      if (robots.allows(url)) return null
      return error === null
        ? `robots.txt of ${url.host} does not allow it.`
        : `robots.txt of ${url.host} could not be read: ${error}`
    },
    async waitTurn(signal) {
      const now = clock.now()
      const turn = Math.max(now, nextRequestAt)
      nextRequestAt = turn + delayMs
      if (turn > now) await clock.sleep(turn - now, signal)
    },
    backOff(milliseconds) {
      nextRequestAt = Math.max(nextRequestAt, clock.now() + milliseconds)
    },
  }
}

/** RFC 9309: a missing robots.txt allows everything, an unreachable one nothing. */
async function loadRobots(
  fetch: Fetcher,
  origin: string,
  userAgent: string,
  signal: AbortSignal,
): Promise<{ robots: Robots; error: string | null }> {
  try {
    const { status, body } = await fetch(`${origin}/robots.txt`, {
      headers: { accept: 'text/plain,*/*;q=0.1' },
      maxRedirects: 5,
      maxBytes: maxRobotsBytes,
      truncate: true,
      timeoutMs: 15_000,
      signal,
    })
    if (status >= 500) return { robots: disallowAll, error: `it answered ${status}.` }
    if (status < 200 || status >= 300) return { robots: allowAll, error: null }
    return { robots: parseRobots(body.toString('utf8'), userAgent), error: null }
  } catch (error) {
    signal.throwIfAborted()
    // The request for the page itself fails with a better message.
    if (error instanceof BlockedError) return { robots: allowAll, error: null }
    return { robots: disallowAll, error: errorMessage(error) }
  }
}
