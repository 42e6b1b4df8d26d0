import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import type { Nodes } from './nodes.ts'

interface Watch {
  nodes: Nodes
  random(): number
  log: Logger
  /** At most so many milliseconds between two looks: while other nodes have work under way, and while they have none. */
  interval: number
  idleInterval: number
  /** A name of the check, for the log. */
  what: string
  /** Ends or takes over the work of nodes that have died. Returns whether other nodes have such work. */
  look(): Promise<boolean>
}

/**
 * Looks after the work of other nodes: as soon as one has left, and from time to time, because a node may hang without
 * leaving. Each node does so itself: a job could be with the one that has died. Returns the function that stops it.
 */
export function watchOthers({ nodes, random, log, interval, idleInterval, what, look }: Watch): () => void {
  let isStopped = false
  let hasLeft = false
  let waiting = new AbortController()
  const wake = () => {
    hasLeft = true
    waiting.abort()
  }
  const watch = async () => {
    while (!isStopped) {
      hasLeft = false
      waiting = new AbortController()
      const othersWork = await look().catch((error) => {
        log.warn({ error: reason(error) }, `could not look for ${what} of dead nodes`)
        return true
      })
      // The nodes of a cluster look at different times.
      const wait = (othersWork ? interval : idleInterval) * (0.5 + random() / 2)
      if (!hasLeft) await delay(wait, undefined, { signal: waiting.signal, ref: false }).catch(() => {})
    }
  }
  const stopListening = nodes.onLoss(wake)
  void watch()
  return () => {
    isStopped = true
    stopListening()
    waiting.abort()
  }
}
