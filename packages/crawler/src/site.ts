import { setTimeout as pause } from 'node:timers/promises'
import type { Egress } from '../../../server/src/kernel/egress/egress.ts'
import { Problem, reason } from '../../../server/src/kernel/errors.ts'
import { second } from '../../../server/src/kernel/time.ts'
import { everythingAllowed, nothingAllowed, parseRobots, type Robots } from './robots.ts'

/** The name by which sites know us in robots.txt, meta elements and their logs. */
export const agentName = 'parley'

const mostRobotsBytes = 500 * 1024
const longestDelay = 10 * second

/** How one origin wants to be read: its rules, and the time between two requests. */
export interface Site {
  /** Null when the page may be read, else why not. */
  objection(url: URL): string | null
  /** Waits for the next moment at which a request is polite. */
  turn(signal: AbortSignal): Promise<void>
  /** Asks for peace until then. */
  rest(milliseconds: number): void
}

export async function meetSite(egress: Egress, origin: string, signal: AbortSignal): Promise<Site> {
  const { robots, unread } = await readRobots(egress, origin, signal)
  const gap = Math.min((robots.delay ?? 0) * second, longestDelay)
  let next = 0
  return {
    objection(url) {
      if (robots.allows(url)) return null
      return unread === null
        ? `robots.txt of ${url.host} does not allow it.`
        : `robots.txt of ${url.host} could not be read, so nothing there is: ${unread}`
    },
    async turn(signal) {
      const now = Date.now()
      const mine = Math.max(now, next)
      next = mine + gap
      if (mine > now) await pause(mine - now, undefined, { signal })
    },
    rest(milliseconds) {
      next = Math.max(next, Date.now() + milliseconds)
    },
  }
}

/** RFC 9309: rules that are not there forbid nothing; rules that cannot be had forbid everything. */
async function readRobots(
  egress: Egress,
  origin: string,
  signal: AbortSignal,
): Promise<{ robots: Robots; unread: string | null }> {
  try {
    const answer = await egress.request(`${origin}/robots.txt`, {
      headers: { 'user-agent': agentName, accept: 'text/plain,*/*;q=0.1' },
      redirects: 5,
      maxBytes: mostRobotsBytes,
      truncate: true,
      timeout: 15 * second,
      signal,
    })
    if (answer.status >= 500) return { robots: nothingAllowed, unread: `it answered ${answer.status}.` }
    if (answer.status < 200 || answer.status >= 300) return { robots: everythingAllowed, unread: null }
    return { robots: parseRobots(answer.body.toString('utf8'), agentName), unread: null }
  } catch (error) {
    signal.throwIfAborted()
    // A place that must not be called says so itself when its page is asked for.
    if (error instanceof Problem) return { robots: everythingAllowed, unread: null }
    return { robots: nothingAllowed, unread: reason(error) }
  }
}
