import type { Context } from '../../../kernel/context.ts'
import { second } from '../../../kernel/time.ts'
import type { Run } from '../../runs/run.ts'
import { appendToJournal, type JournalEntry, pruneJournal } from '../streaming/journal.ts'
import { Announcements } from './announcements.ts'
import { progressStatements } from './turn-store.ts'

/** Together with the time of a commit, text is stored within 100 ms after it was shown. */
const journalEvery = 60
const heartbeatEvery = 2 * second
/** When text could not be stored for this long, new text is held back until it is. */
const maxUnstoredTime = second / 2

/** How far a turn is stored. */
interface Stored {
  /** The version of the turn that its row has, and the version of the parts that only the row can hold. */
  version: number
  rowVersion: number
  /** The number of items in the row, and the number before the next entry of the journal. */
  items: number
  journaled: number
  /** The first row of the journal with text that is not in the row of the message; null if there is none. */
  firstNumber: number | null
  /** The number of items up to the end of the journal, with the entry that is being written. */
  lastItem: number
  /** Since when there are items that are not stored (milliseconds of the process); null if there are none. */
  unstoredSince: number | null
  /** Set while the row is being stored. */
  storing: Promise<void> | null
}

/**
 * Stores the progress of the running turns, so that a crash loses little. New text goes to a journal, one row for all
 * turns; everything else goes to the rows of the messages at once, and the text with the heartbeat.
 */
export class ProgressWriter {
  readonly #ctx: Context
  readonly #turns = new Map<Run, Stored>()
  readonly #timer: NodeJS.Timeout
  readonly #announcements: Announcements
  #journalNumber = 0
  #prunedNumber = 0
  #isJournaling = false

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#announcements = new Announcements(ctx)
    this.#timer = setInterval(() => void this.#writeJournal(), journalEvery)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#announcements.close()
    if (this.#journalNumber > 0) await this.#ctx.commits.commit([pruneJournal(this.#ctx, this.#journalNumber)])
  }

  begin(turn: Run): void {
    const { version, rowVersion, itemCount: items } = turn
    this.#turns.set(turn, {
      version,
      rowVersion,
      items,
      journaled: items,
      firstNumber: null,
      lastItem: items,
      unstoredSince: null,
      storing: null,
    })
  }

  /** The end of a turn is stored. */
  end(turn: Run): void {
    this.#turns.delete(turn)
    this.#announcements.announce(turn.row.id)
  }

  running = (): Run[] => [...this.#turns.keys()].filter(({ state }) => state === 'running')

  /** Stores the model calls of a turn, too, before the next one is made. Fails if others have ended the turn. */
  async storeCalls(turn: Run): Promise<void> {
    const stored = this.#turns.get(turn)
    if (stored) await this.#store(turn, stored, true)
  }

  /** Waits for writes that are under way, because the end of a turn deletes its rows of the journal. */
  async settle(turn: Run): Promise<void> {
    const stored = this.#turns.get(turn)
    while (stored?.storing) await stored.storing
  }

  /** Stores the row of a turn once no other write of this row is under way. The next heartbeat repeats a failed write. */
  async #storeAgain(turn: Run, stored: Stored): Promise<void> {
    await this.#store(turn, stored, false).catch(() => {})
  }

  async #store(turn: Run, stored: Stored, isExpected: boolean): Promise<void> {
    while (stored.storing) await stored.storing
    const storing = this.#storeRow(turn, stored, isExpected)
    stored.storing = storing
      .catch(() => {})
      .finally(() => {
        stored.storing = null
      })
    await stored.storing
    await storing
  }

  async #storeRow(turn: Run, stored: Stored, isExpected: boolean): Promise<void> {
    const { commits, log } = this.#ctx
    const { version, rowVersion, itemCount: items, meter } = turn // a handoff replaces the meter
    const calls = meter.stored
    try {
      await commits.commit(progressStatements(this.#ctx, turn, isExpected))
    } catch (error) {
      meter.unsaved(calls)
      log.warn({ err: error, message: turn.row.id }, 'the progress of a reply could not be stored')
      throw error
    }
    const needsRow = rowVersion !== stored.rowVersion
    Object.assign(stored, { version, rowVersion, items })
    showStored(turn, stored)
    if (items >= stored.lastItem) stored.firstNumber = null
    if (!needsRow) return
    // The journal holds only text, so it continues after items that followers read from the row.
    stored.journaled = Math.max(stored.journaled, items)
    this.#announcements.announce(turn.row.id)
  }

  #holdBack(): void {
    const now = performance.now()
    for (const [turn, stored] of this.#turns) {
      if (turn.state !== 'running') continue
      if (turn.itemCount === Math.max(stored.items, stored.journaled)) continue
      stored.unstoredSince ??= now
      if (now - stored.unstoredSince > maxUnstoredTime) turn.holdBack()
    }
  }

  /** Stores the rows of the turns that are due for a heartbeat, then removes from the journal what is in rows. Returns these turns. */
  async storeRows(): Promise<Run[]> {
    const { now, commits } = this.#ctx
    const due = [...this.#turns].filter(
      ([turn, { storing }]) => turn.state === 'running' && !storing && now() - turn.row.alive_at >= heartbeatEvery,
    )
    const number = this.#journalNumber
    await Promise.all(due.map(([turn, stored]) => this.#storeAgain(turn, stored)))
    const needed = [...this.#turns.values()].map(({ firstNumber }) => firstNumber ?? number + 1)
    const unneeded = Math.min(number, ...needed.map((first) => first - 1))
    if (unneeded > this.#prunedNumber) {
      this.#prunedNumber = unneeded
      await commits.commit([pruneJournal(this.#ctx, unneeded)]).catch(() => {}) // the next one removes these rows, too
    }
    return due.map(([turn]) => turn)
  }

  async #writeJournal(): Promise<void> {
    this.#holdBack()
    if (this.#isJournaling) return
    const entries: JournalEntry[] = []
    const written: [Run, Stored, number][] = []
    for (const [turn, stored] of this.#turns) {
      if (turn.state !== 'running') continue
      if (turn.rowVersion !== stored.rowVersion) {
        if (!stored.storing) void this.#storeAgain(turn, stored)
        continue
      }
      const first = stored.journaled
      const texts = turn.textsFrom(first)
      if (texts.length === 0) continue
      entries.push({ message: turn.row.id, first, texts })
      written.push([turn, stored, first + texts.length])
    }
    if (entries.length === 0) return
    this.#isJournaling = true
    const number = ++this.#journalNumber
    for (const [, stored, count] of written) {
      stored.firstNumber ??= number
      stored.lastItem = count
    }
    try {
      await this.#ctx.commits.commit([appendToJournal(this.#ctx, number, entries)])
      for (const [turn, stored, count] of written) {
        stored.journaled = Math.max(stored.journaled, count)
        showStored(turn, stored)
      }
      this.#announcements.announce()
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'the progress of replies could not be stored')
    } finally {
      this.#isJournaling = false
    }
  }
}

/** Shows all text of a turn again, because it has been stored. */
function showStored(turn: Run, stored: Stored): void {
  stored.unstoredSince = null
  turn.showAll()
}
