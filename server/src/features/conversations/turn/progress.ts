import type { Context } from '../../../kernel/context.ts'
import { second } from '../../../kernel/time.ts'
import { Announcements } from './announcements.ts'
import { appendToJournal, type JournalEntry, pruneJournal } from './journal.ts'
import type { Turn } from './turn.ts'
import { progressStatements } from './turn-store.ts'

/** With the time of a commit, what is shown is stored within 100 ms. */
const journalEvery = 60
const heartbeatEvery = 2 * second

/**
 * Stores what has come of the running turns, so that a crash loses little. New text goes to a journal, one row for all
 * turns; everything else, and twice a second the text too, goes to the rows of the messages, which others read.
 */
export class ProgressWriter {
  readonly #ctx: Context
  readonly #running: ReadonlyMap<string, Turn>
  readonly #timer: NodeJS.Timeout
  readonly #announcements: Announcements
  #journalNumber = 0
  #prunedNumber = 0
  #isJournaling = false

  constructor(ctx: Context, running: ReadonlyMap<string, Turn>) {
    this.#ctx = ctx
    this.#running = running
    this.#announcements = new Announcements(ctx)
    this.#timer = setInterval(() => void this.#writeJournal(), journalEvery)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#announcements.close()
    if (this.#journalNumber > 0) await this.#ctx.commits.commit([pruneJournal(this.#ctx, this.#journalNumber)])
  }

  /** The end of a turn is stored. */
  ended(turn: Turn): void {
    this.#announcements.announce(turn.row.id)
  }

  /** Stores the row of a turn as it is now, after what is being stored of it already. */
  async storeRow(turn: Turn): Promise<void> {
    await this.#store(turn).catch(() => {}) // it is stored again
  }

  /** Stores the model calls of a turn, too, before the next one is made. Fails if others have ended the turn. */
  async storeCalls(turn: Turn): Promise<void> {
    turn.hasNewCalls = true
    await this.#store(turn, 1)
  }

  async #store(turn: Turn, expected?: number): Promise<void> {
    while (turn.storing) await turn.storing
    const stored = this.#storeRow(turn, expected)
    turn.storing = stored
      .catch(() => {})
      .finally(() => {
        turn.storing = null
      })
    await turn.storing
    await stored
  }

  async #storeRow(turn: Turn, expected?: number): Promise<void> {
    const { commits, log } = this.#ctx
    const upTo = turn.itemCount
    const { needsRow } = turn
    try {
      await commits.commit(progressStatements(this.#ctx, turn, expected))
      turn.storedItems = upTo
      if (needsRow) {
        // The journal holds only text. It goes on behind what is not, which followers read from the row.
        turn.journaledItems = Math.max(turn.journaledItems, upTo)
        this.#announcements.announce(turn.row.id)
      }
    } catch (error) {
      Object.assign(turn, { isDirty: true, needsRow: true, hasNewCalls: true })
      log.warn({ err: error, message: turn.row.id }, 'the progress of a reply could not be stored')
      throw error
    }
  }

  /** Stores the rows of all turns that have changed, then removes from the journal what is in them. */
  async storeRows(): Promise<void> {
    const { now, commits } = this.#ctx
    const turns = [...this.#running.values()]
    const journaled = turns.map((turn) => turn.journaledItems)
    const number = this.#journalNumber
    const isDue = ({ state, storing, isDirty, row }: Turn) =>
      state === 'running' && !storing && (isDirty || now() - row.alive_at >= heartbeatEvery)
    await Promise.all(
      turns.map((turn) => (turn.state === 'storing' ? turn.finished : isDue(turn) && this.storeRow(turn))),
    )
    const isStored = turns.every((turn, at) => turn.ended || turn.storedItems >= (journaled[at] ?? 0))
    if (!isStored || number === this.#prunedNumber) return
    this.#prunedNumber = number
    await commits.commit([pruneJournal(this.#ctx, number)]).catch(() => {}) // the next one removes these rows, too
  }

  async #writeJournal(): Promise<void> {
    if (this.#isJournaling) return
    const entries: JournalEntry[] = []
    const written: [Turn, number][] = []
    for (const turn of this.#running.values()) {
      if (turn.state !== 'running') continue
      if (turn.needsRow) {
        if (!turn.storing) void this.storeRow(turn)
        continue
      }
      const first = turn.journaledItems
      const texts = turn.textsFrom(first)
      if (texts.length === 0) continue
      entries.push({ message: turn.row.id, first, texts })
      written.push([turn, first + texts.length])
    }
    if (entries.length === 0) return
    this.#isJournaling = true
    try {
      await this.#ctx.commits.commit([appendToJournal(this.#ctx, ++this.#journalNumber, entries)])
      for (const [turn, count] of written) turn.journaledItems = Math.max(turn.journaledItems, count)
      this.#announcements.announce()
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'the progress of replies could not be stored')
    } finally {
      this.#isJournaling = false
    }
  }
}
