import { setTimeout as delay } from 'node:timers/promises'
import { second } from '../../kernel/time.ts'

/** How many receivers are sent to at once. Waiting for one costs its connections and nothing else, so there may be many. */
const mostAtOnce = 256
/** How many of these one workspace may have, so that its slow receivers leave room for those of the others. */
const mostOfWorkspace = 64
/** A receiver with much to come gives way after this time to those that wait. */
const turnLasts = 20 * second

export interface Receiver {
  workspace: string
  webhook: string
}

interface Lane extends Receiver {
  /** Something has come since it last looked. */
  again: boolean
}

interface Work {
  /** Sends some of what is due. Whether there may be more. */
  send(receiver: Receiver, signal: AbortSignal): Promise<boolean>
  /** Leaves a receiver to another process, or to this one after its next start. */
  handOver(receiver: Receiver): Promise<void>
  /** What was not sent is found by the sweep. */
  failed(receiver: Receiver, error: unknown): void
}

export interface Lanes {
  wake(receiver: Receiver): Promise<void>
  close(patience: number): Promise<void>
}

/** One lane for each receiver: however slow it is and however much waits for it, it is in nobody's way. */
export function createLanes({ send, handOver, failed }: Work): Lanes {
  const waiting = new Map<string, Lane>()
  const running = new Map<string, { lane: Lane; done: Promise<void> }>()
  const stop = new AbortController()
  let closing = false

  const hasRoom = ({ workspace }: Lane): boolean =>
    running.size < mostAtOnce &&
    [...running.values()].filter(({ lane }) => lane.workspace === workspace).length < mostOfWorkspace

  const startSome = (): void => {
    for (const [id, lane] of waiting) {
      if (closing || running.size >= mostAtOnce) return
      if (!hasRoom(lane)) continue
      waiting.delete(id)
      running.set(id, { lane, done: run(lane) })
    }
  }

  const run = async (lane: Lane): Promise<void> => {
    const turnEnds = Date.now() + turnLasts
    try {
      while (lane.again && !closing && Date.now() < turnEnds) {
        lane.again = false
        lane.again = (await send(lane, stop.signal)) || lane.again
      }
    } catch (error) {
      if (stop.signal.aborted) lane.again = true
      else failed(lane, error)
    }
    running.delete(lane.webhook)
    if (lane.again && closing) return handOver(lane)
    if (lane.again) waiting.set(lane.webhook, lane)
    startSome()
  }

  return {
    async wake({ workspace, webhook }) {
      if (closing) return handOver({ workspace, webhook })
      const lane = running.get(webhook)?.lane
      if (lane) lane.again = true
      else if (!waiting.has(webhook)) waiting.set(webhook, { workspace, webhook, again: true })
      startSome()
    },

    async close(patience) {
      closing = true
      const all = Promise.allSettled([...running.values()].map(({ done }) => done))
      for (const lane of waiting.values()) await handOver(lane)
      await Promise.race([all, delay(patience, undefined, { ref: false })])
      stop.abort(new Error('The process is stopping.'))
      await all
    },
  }
}
