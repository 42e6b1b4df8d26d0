import { setTimeout as delay } from 'node:timers/promises'
import { second } from '../../kernel/time.ts'

/** How many webhooks are sent to in parallel. A slow receiver costs only its connections. */
const maxConcurrent = 256
/** The share of one workspace, so that its slow receivers do not delay other workspaces. */
const maxPerWorkspace = 64
/** After this time, a webhook with many deliveries lets waiting webhooks go first. */
const turnMs = 20 * second

export interface Receiver {
  workspace: string
  webhook: string
}

interface Entry extends Receiver {
  /** Whether there may be deliveries that are due. */
  hasMore: boolean
}

interface DispatcherOptions {
  /** Sends a batch of due deliveries. Returns whether there may be more. */
  send(receiver: Receiver, signal: AbortSignal): Promise<boolean>
  /** Leaves a webhook to another process, or to the next start of this one. */
  handOver(receiver: Receiver): Promise<void>
  /** Reports an error. Its deliveries are retried by the job for overdue ones. */
  onError(receiver: Receiver, error: unknown): void
}

/** Sends deliveries of many webhooks in parallel, so that a slow receiver does not delay others. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #waiting = new Map<string, Entry>()
  readonly #running = new Map<string, { entry: Entry; done: Promise<void> }>()
  readonly #stop = new AbortController()
  #isClosing = false

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  /** Sends what is due for a webhook. */
  async wake({ workspace, webhook }: Receiver): Promise<void> {
    if (this.#isClosing) return this.#options.handOver({ workspace, webhook })
    const entry = this.#running.get(webhook)?.entry
    if (entry) entry.hasMore = true
    else if (!this.#waiting.has(webhook)) this.#waiting.set(webhook, { workspace, webhook, hasMore: true })
    this.#startWaiting()
  }

  /** Waits for running deliveries, at most `timeout` milliseconds, and stops the rest. */
  async close(timeout: number): Promise<void> {
    this.#isClosing = true
    const all = Promise.allSettled([...this.#running.values()].map(({ done }) => done))
    for (const entry of this.#waiting.values()) await this.#options.handOver(entry)
    await Promise.race([all, delay(timeout, undefined, { ref: false })])
    this.#stop.abort(new Error('The process is stopping.'))
    await all
  }

  #startWaiting(): void {
    for (const [id, entry] of this.#waiting) {
      if (this.#isClosing || this.#running.size >= maxConcurrent) return
      if (this.#runningIn(entry.workspace) >= maxPerWorkspace) continue
      this.#waiting.delete(id)
      this.#running.set(id, { entry, done: this.#run(entry) })
    }
  }

  #runningIn(workspace: string): number {
    return [...this.#running.values()].filter(({ entry }) => entry.workspace === workspace).length
  }

  async #run(entry: Entry): Promise<void> {
    const turnEnds = performance.now() + turnMs
    try {
      while (entry.hasMore && !this.#isClosing && performance.now() < turnEnds) {
        entry.hasMore = false
        entry.hasMore = (await this.#options.send(entry, this.#stop.signal)) || entry.hasMore
      }
    } catch (error) {
      if (this.#stop.signal.aborted) entry.hasMore = true
      else this.#options.onError(entry, error)
    }
    this.#running.delete(entry.webhook)
    if (entry.hasMore && this.#isClosing) return this.#options.handOver(entry)
    if (entry.hasMore) this.#waiting.set(entry.webhook, entry)
    this.#startWaiting()
  }
}
