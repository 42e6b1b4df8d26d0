import type { Context } from '../../../kernel/context.ts'
import { second } from '../../../kernel/time.ts'
import { eventAt, eventCount, eventItems, type Item, isOver, type MessageSource } from '../../runs/events.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { decode } from '../message-row.ts'
import { type JournalEntry, journalAfter } from './journal.ts'

/** The node of a turn announces on this channel that it has stored more, with the ids of changed messages. */
export const progressChannel = (node: string): string => `turns of ${node}`
/** Others ask a node on this channel to announce its progress for a while. */
export const followChannel = (node: string): string => `followers of ${node}`
/** Asks a node to check which of its replies are to be cancelled. */
export const cancelChannel = (node: string): string => `cancel on ${node}`
/** Announced instead of ids if there are too many. */
export const allMessages = '*'

/** Covers lost announcements and Redis outages. */
const pollEvery = second / 4
const askEvery = second
/** A message that has not changed for this long is read again. */
const readAgainAfter = second

/** Follows turns that run on other nodes by reading what these have stored, as soon as they announce it. */
export class RemoteTurns {
  readonly #ctx: Context
  readonly #nodes = new Map<string, RemoteNode>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  follow(row: MessageRow): MessageSource {
    const name = row.node ?? ''
    const node = this.#nodes.get(name) ?? new RemoteNode(this.#ctx, name, () => this.#nodes.delete(name))
    this.#nodes.set(name, node)
    return new RemoteTurn(row, node)
  }
}

/** A turn of another node, up to what is stored. */
class RemoteTurn implements MessageSource {
  row: MessageRow
  /** When its last event was added. */
  changedAt = Number.NEGATIVE_INFINITY
  #items: Item[]
  readonly #node: RemoteNode
  readonly #listeners = new Set<() => void>()

  constructor(row: MessageRow, node: RemoteNode) {
    this.row = row
    this.#items = eventItems(row)
    this.#node = node
  }

  get length(): number {
    return eventCount(this.#items.length, isOver(this.row))
  }

  get ended(): boolean {
    return this.row.status !== 'running'
  }

  at(sequence: number) {
    return eventAt(this.row, this.#items, sequence)
  }

  subscribe(listener: () => void): () => void {
    if (this.#listeners.add(listener).size === 1) this.#node.add(this)
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#node.remove(this)
    }
  }

  /** Undefined if its conversation was deleted. */
  replaceRow(row: MessageRow | undefined): void {
    const items = row ? eventItems(row) : this.#items
    const hasMore = items.length > this.#items.length
    const { versions } = this.row // branches do not change while a turn runs
    this.row = row ? { ...row, ...(versions && { versions }) } : { ...this.row, status: 'cancelled' }
    // The journal may be ahead of the row while the turn runs.
    if (hasMore || this.ended) this.#items = items
    if (hasMore || this.ended) this.#changed()
  }

  /** Adds text. Returns false if something before it is missing. */
  append({ first, texts }: JournalEntry): boolean {
    if (first > this.#items.length) return false
    const added = texts.slice(this.#items.length - first)
    if (added.length === 0) return true
    this.#items.push(...added)
    this.#changed()
    return true
  }

  #changed(): void {
    this.changedAt = performance.now()
    for (const listener of this.#listeners) listener()
  }
}

/** The turns of one node that are followed here: one query reads the progress of all of them. */
class RemoteNode {
  readonly #ctx: Context
  readonly #name: string
  readonly #forget: () => void
  readonly #turns = new Set<RemoteTurn>()
  #journalNumber = -1
  /** The messages whose rows have changed. */
  #stale = new Set<string>()
  #isReading = false
  #readAgain = false
  #askedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #unsubscribe = () => {}

  constructor(ctx: Context, name: string, forget: () => void) {
    this.#ctx = ctx
    this.#name = name
    this.#forget = forget
  }

  add(turn: RemoteTurn): void {
    this.#turns.add(turn)
    this.#stale.add(turn.row.id)
    if (!this.#timer) {
      this.#timer = setInterval(() => this.#poll(), pollEvery)
      this.#unsubscribe = this.#ctx.signals.on(progressChannel(this.#name), (text) => this.#announced(text))
    }
    this.#poll()
  }

  remove(turn: RemoteTurn): void {
    this.#turns.delete(turn)
    if (this.#turns.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#unsubscribe()
    this.#forget()
  }

  #announced(text: string): void {
    for (const id of text === allMessages ? this.#ids() : text.split(' ')) this.#stale.add(id)
    void this.#read()
  }

  #ids = (): string[] => [...this.#turns].map(({ row }) => row.id)

  #poll(): void {
    const now = performance.now()
    if (now - this.#askedAt >= askEvery) {
      this.#askedAt = now
      this.#ctx.signals.send(followChannel(this.#name))
    }
    for (const turn of this.#turns) {
      if (now - turn.changedAt < readAgainAfter) continue
      turn.changedAt = now
      this.#stale.add(turn.row.id)
    }
    void this.#read()
  }

  async #read(): Promise<void> {
    this.#readAgain = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#readAgain && this.#turns.size > 0) {
      this.#readAgain = false
      await this.#readOnce().catch(() => {}) // the database cannot be reached; the next poll tries again
    }
    this.#isReading = false
  }

  /** Reads the journal before the rows: text is removed from the journal only after its row has it, so none is missed. */
  async #readOnce(): Promise<void> {
    const stale = this.#stale
    this.#stale = new Set()
    try {
      const journal = await journalAfter(this.#ctx, this.#name, this.#journalNumber)
      const missing = (turn: RemoteTurn) =>
        journal.entries.some((entry) => entry.message === turn.row.id && !turn.append(entry))
      await this.#readRows([...this.#turns].filter((turn) => stale.has(turn.row.id)))
      const incomplete = [...this.#turns].filter(missing)
      await this.#readRows(incomplete)
      for (const turn of incomplete) missing(turn)
      this.#journalNumber = journal.number
    } catch (error) {
      for (const id of stale) this.#stale.add(id)
      throw error
    }
  }

  async #readRows(turns: RemoteTurn[]): Promise<void> {
    if (turns.length === 0) return
    const ids = turns.map(({ row }) => row.id)
    const cells = await this.#ctx.db.selectFrom('message').selectAll().where('id', 'in', ids).execute()
    const rows = new Map(cells.map((each) => [each.id, decode(each)]))
    for (const turn of turns) turn.replaceRow(rows.get(turn.row.id))
  }
}
