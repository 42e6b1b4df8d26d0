import type { Context } from '../../../kernel/context.ts'
import { maxSignalLength } from '../../../kernel/store/signals.ts'
import { second } from '../../../kernel/time.ts'
import { allMessages, followChannel, progressChannel } from '../streaming/remote-turns.ts'

/** Followers ask again every second. */
const followedFor = 5 * second
/** Turns that end together are announced together. */
const collectFor = 5

/** Tells other nodes that progress is stored, while one of them follows a turn of this node. */
export class Announcements {
  readonly #ctx: Context
  readonly #unsubscribe: () => void
  #followedAt = Number.NEGATIVE_INFINITY
  #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#unsubscribe = ctx.signals.on(followChannel(ctx.node), () => {
      this.#followedAt = performance.now()
    })
  }

  /** Without a message, only the journal has grown. */
  announce(messageId?: string): void {
    if (performance.now() - this.#followedAt > followedFor) return
    if (messageId !== undefined) this.#changed.add(messageId)
    this.#timer ??= setTimeout(() => this.#send(), collectFor)
  }

  close(): void {
    this.#unsubscribe()
    if (this.#timer) this.#send()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ids = [...this.#changed].join(' ')
    this.#changed = new Set()
    this.#ctx.signals.send(progressChannel(this.#ctx.node), ids.length > maxSignalLength ? allMessages : ids)
  }
}
