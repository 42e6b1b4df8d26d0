import type { Book, BookTable, Day, Span } from './book.ts'
import type { Origin, Snapshot } from './origin.ts'
import { dayDecoder, encodeDay } from './segment.ts'
import type { Shelf } from './shelf.ts'

export interface Asked<Question> extends Span {
  workspace: string
  question: Question
}

/** Answers a question from a book, after reading anew the days that have changed since they were last read. */
export async function consult<Question, Answer>(
  origin: Origin,
  shelf: Shelf,
  book: Book<Question, Answer>,
  asked: Asked<Question>,
): Promise<Answer> {
  try {
    return await origin.reading(async (snapshot) => {
      await bringUpToDate(snapshot, shelf, book, asked)
      const answer = book.answer(daysOf(shelf, book, asked), shelf.names(asked.workspace), asked.question)
      shelf.end()
      return answer
    })
  } finally {
    shelf.abandon()
  }
}

/** Leaves the shelf in a transaction in which all the days are there as the snapshot has them. */
async function bringUpToDate<Question, Answer>(
  snapshot: Snapshot,
  shelf: Shelf,
  book: Book<Question, Answer>,
  { workspace, from, to }: Asked<Question>,
): Promise<void> {
  const wanted = await stampsIn(snapshot, book, { workspace, from, to })
  const changed = () => {
    const known = shelf.stampsOf(workspace, book.name)
    return [...wanted].filter(([day, stamp]) => known.get(day) !== stamp)
  }
  shelf.begin()
  if (changed().length === 0) return
  shelf.end()
  shelf.beginChanging()
  const names = shelf.names(workspace)
  for (const [day, stamp] of changed()) {
    const tables: Record<string, number[][]> = {}
    for (const [name, table] of Object.entries(book.tables))
      tables[name] = columnsOf(table, await snapshot.rows(table.rows, { workspace, day }), names.numberFor)
    shelf.put(workspace, book.name, day, stamp, encodeDay(tables))
  }
}

/** What a book holds is part of the stamp, so that a version that holds more does not take the days of an older one. */
async function stampsIn(
  snapshot: Snapshot,
  { stamps, tables }: Pick<Book<unknown, unknown>, 'stamps' | 'tables'>,
  parameters: { workspace: string } & Span,
): Promise<Map<string, string>> {
  const shape = JSON.stringify(tables)
  const found = new Map<string, string>()
  for (const [day, stamp] of await snapshot.rows(stamps, { ...parameters }))
    found.set(String(day), `${found.get(String(day)) ?? shape} ${stamp}`)
  return found
}

function columnsOf(
  { columns }: BookTable,
  rows: (string | number | null)[][],
  numberFor: (kind: string, name: string) => number,
): number[][] {
  return Object.values(columns).map((column, index) =>
    rows.map((row) => {
      const cell = row[index] ?? null
      if (cell === null) return 0
      return column === 'number' ? Number(cell) + 1 : numberFor(column.name, String(cell))
    }),
  )
}

function* daysOf<Question, Answer>(
  shelf: Shelf,
  book: Book<Question, Answer>,
  { workspace, from, to }: Asked<Question>,
): Generator<Day> {
  const decode = dayDecoder(book.tables)
  for (const { day, data } of shelf.days(workspace, book.name, from, to)) yield { day, tables: decode(data) }
}
