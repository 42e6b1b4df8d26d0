import type { Kysely } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { prepared } from '../../../kernel/store/statement.ts'
import { eventItems, eventMarks } from '../../runs/events.ts'
import type { MessageRow } from '../../runs/reply.ts'

interface JournalRow {
  node: string
  number: number
  entries: string
}

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    turn_journal: JournalRow
  }
}

export async function createJournalTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('turn_journal')
    .addColumn('node', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('entries', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('turn_journal_key', ['node', 'number'])
    .execute()
}

/** Pieces of text that have come since the row of a message was stored. */
export interface JournalEntry {
  message: string
  /** The position of the first one among the items of the message. */
  first: number
  texts: string[]
}

/** One row for all turns of a node, so that its cost does not depend on their number nor on the length of the replies. */
export const appendToJournal = ({ db, node }: Context, number: number, entries: JournalEntry[]): Statement =>
  insertRow(db, { node, number, entries: JSON.stringify(entries) })

const insertRow = prepared((db, row: JournalRow) => db.insertInto('turn_journal').values(row))

export const pruneJournal = ({ db, node }: Context, upTo: number): Statement => deleteRows(db, { node, upTo })

const deleteRows = prepared((db, { node, upTo }: { node: string; upTo: number }) =>
  db.deleteFrom('turn_journal').where('node', '=', node).where('number', '<=', upTo),
)

export const deleteJournal = async ({ db }: Context, nodes: string[]): Promise<void> => {
  if (nodes.length > 0) await db.deleteFrom('turn_journal').where('node', 'in', nodes).execute()
}

/** The nodes with a journal, as a part of a query. */
export const journalNodes = ({ db }: Context) =>
  db.selectFrom('turn_journal').select('node').distinct().$castTo<{ node: string | null }>()

export async function readJournal({ db }: Context, nodes: string[]): Promise<JournalEntry[]> {
  if (nodes.length === 0) return []
  const rows = await db
    .selectFrom('turn_journal')
    .select('entries')
    .where('node', 'in', nodes)
    .orderBy('node')
    .orderBy('number')
    .execute()
  return rows.flatMap(({ entries }) => JSON.parse(entries) as JournalEntry[])
}

/** The entries of a node after a number, and the number of the last one. */
export async function journalAfter(
  { db }: Context,
  node: string,
  number: number,
): Promise<{ number: number; entries: JournalEntry[] }> {
  const rows = await db
    .selectFrom('turn_journal')
    .select(['number', 'entries'])
    .where('node', '=', node)
    .where('number', '>', number)
    .orderBy('number')
    .execute()
  return {
    number: Number(rows.at(-1)?.number ?? number),
    entries: rows.flatMap(({ entries }) => JSON.parse(entries) as JournalEntry[]),
  }
}

/** Adds to a message what came after its row was stored. */
export function applyJournal(message: MessageRow, journal: readonly JournalEntry[]): void {
  const items = eventItems(message)
  for (const { message: id, first, texts } of journal) {
    if (id === message.id && first <= items.length) items.push(...texts.slice(items.length - first))
  }
  const added = items.slice(message.events.length).filter((item) => typeof item === 'string')
  message.content = (message.content + added.join('')).toWellFormed()
  message.events = eventMarks(items)
}

/** Removes the texts of deleted messages. The journal of ended turns is only pruned when the next turn runs. */
export async function forgetInJournal(tx: Db, messages: ReadonlySet<string>): Promise<void> {
  for (const { node, number, entries } of await tx.selectFrom('turn_journal').selectAll().execute()) {
    const all = JSON.parse(entries) as JournalEntry[]
    const kept = all.filter(({ message }) => !messages.has(message))
    if (kept.length === all.length) continue
    await tx
      .updateTable('turn_journal')
      .set({ entries: JSON.stringify(kept) })
      .where('node', '=', node)
      .where('number', '=', number)
      .execute()
  }
}
