import { constants, DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { readRows } from './rows.ts'
import { type TrackedStatement, trackRows } from './sql/row-tracking.ts'
import { SqlError } from './sql/sql-error.ts'
import { type ReadStatement, readStatement } from './sql/statement.ts'
import type { Column } from './table.ts'
import type { Cell } from './values.ts'

/** A table to query: its text as the document has it. */
export interface QueryTable {
  sqlName: string
  columns: Column[]
  text: string
}

/** The rows of a table that a result rests on, counted from 1, with the smallest part of its text that has them all. */
interface RowCitation {
  /** The position in the list of tables. */
  table: number
  rows: number[]
  start: number
  end: number
  /** The first of these rows, neighbours together, as the document has them. */
  passages: RowPassage[]
}

interface RowPassage {
  rows: number[]
  start: number
  text: string
}

export interface QueryResult {
  columns: string[]
  rows: Cell[][]
  truncated: boolean
  citations: RowCitation[]
}

const maxRows = 1000
const maxResultCharacters = 4_000_000
const maxPassages = 10
const maxPassageRows = 20
const maxPassageCharacters = 4000
/** A value in a query, such as a text that a function makes. */
const maxValueBytes = 16 * 1024 * 1024
const heapBytes = 256 * 1024 * 1024

/** Tables in a database in memory, which has nothing else, for one statement. */
export class LoadedTables {
  readonly #tables: readonly QueryTable[]
  readonly #db = new DatabaseSync(':memory:', { allowExtension: false })
  readonly #spans: Span[][] = []

  constructor(tables: readonly QueryTable[]) {
    this.#tables = tables
  }

  load(): void {
    this.#explained(() => {
      // The limit holds for this process, which does nothing else.
      this.#db.exec(`PRAGMA hard_heap_limit = ${heapBytes}; PRAGMA temp_store = memory`)
      for (const table of this.#tables) this.#spans.push(load(this.#db, table))
      this.#db.limits.length = maxValueBytes
    })
  }

  query(sql: string): QueryResult {
    return this.#explained(() => {
      const statement = readStatement(sql)
      const guard = new Guard(this.#tables)
      this.#db.setAuthorizer((action, first, second) => guard.authorize(action, first, second))
      return new Run(this.#db, this.#tables, this.#spans, guard).run(statement)
    })
  }

  close(): void {
    this.#db.close()
  }

  #explained<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw isSqliteError(error) ? new SqlError(explain(error, this.#tables)) : error
    }
  }
}

interface SqliteError extends Error {
  errcode: number
}

const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'

interface Span {
  start: number
  end: number
}

const declaredTypes = { number: 'NUMERIC', date: 'TEXT', text: 'TEXT', boolean: 'BOOLEAN' }
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

function load(db: DatabaseSync, { sqlName, columns, text }: QueryTable): Span[] {
  const declared = columns.map(({ sql_name, type }) => `${quote(sql_name)} ${declaredTypes[type]}`)
  db.exec(`CREATE TABLE ${quote(sqlName)} (${declared.join(', ')}); BEGIN`)
  const insert = db.prepare(`INSERT INTO ${quote(sqlName)} VALUES (${columns.map(() => '?').join(', ')})`)
  const spans: Span[] = []
  for (const { cells, start, end } of readRows(text, columns)) {
    insert.run(...cells.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell)))
    spans.push({ start, end })
  }
  db.exec('COMMIT')
  return spans
}

const functionsOfTables = new Set(['json_each', 'json_tree'])
const systemTables = /^(?:sqlite_|pragma_|dbstat$|bytecode$|tables_used$)/i

/** Allows a statement to read the tables, and nothing else. */
class Guard {
  readonly #tables: ReadonlySet<string>
  /** The tables that the statement reads, in lower case. */
  readonly read = new Set<string>()
  /** Why the statement was denied. */
  denied: string | undefined

  constructor(tables: readonly QueryTable[]) {
    this.#tables = new Set(tables.map(({ sqlName }) => sqlName.toLowerCase()))
  }

  authorize(action: number, first: string | null, second: string | null): number {
    if (action === constants.SQLITE_SELECT || action === constants.SQLITE_RECURSIVE) return constants.SQLITE_OK
    if (action === constants.SQLITE_FUNCTION) {
      return second?.toLowerCase() === 'load_extension'
        ? this.#deny('The function load_extension is not allowed.')
        : constants.SQLITE_OK
    }
    if (action !== constants.SQLITE_READ)
      return this.#deny('Only reading is allowed: the statement would change something.')
    const table = (first ?? '').toLowerCase()
    if (this.#tables.has(table)) this.read.add(table)
    // SQLite asks with an empty column for counts of common table expressions, under the names of these.
    else if (!functionsOfTables.has(table) && (second !== '' || systemTables.test(table)))
      return this.#deny(`There is no table ${first}.`)
    return constants.SQLITE_OK
  }

  #deny(reason: string): number {
    this.denied ??= reason
    return constants.SQLITE_DENY
  }
}

class Run {
  readonly #db: DatabaseSync
  readonly #tables: readonly QueryTable[]
  readonly #spans: Span[][]
  readonly #guard: Guard

  constructor(db: DatabaseSync, tables: readonly QueryTable[], spans: Span[][], guard: Guard) {
    this.#db = db
    this.#tables = tables
    this.#spans = spans
    this.#guard = guard
  }

  run(statement: ReadStatement): QueryResult {
    const plain = this.#prepare(statement.sql)
    const columns = plain.columns()
    const names = columns.map(({ name }) => name)
    const isBoolean = columns.map(({ type }) => type === 'BOOLEAN')
    const read = new Set(this.#guard.read)
    const tracked = trackRows(
      statement,
      new Set(this.#tables.map(({ sqlName }) => sqlName.toLowerCase())),
      names.length,
    )
    const prepared = tracked && this.#tryPrepare(tracked)
    const rows: Cell[][] = []
    const cited = new Map<string, Set<number>>(
      tracked && prepared ? tracked.tables.map((name) => [name, new Set()]) : [],
    )
    let characters = 0
    let truncated = false
    for (const values of (prepared ?? plain).iterate() as Iterable<unknown> as Iterable<SQLOutputValue[]>) {
      if (rows.length === maxRows || characters > maxResultCharacters) {
        truncated = true
        break
      }
      const row = names.map((_, at) => toCell(values[at] ?? null, isBoolean[at] === true))
      characters += row.reduce<number>((sum, cell) => sum + String(cell).length, 0)
      rows.push(row)
      if (!tracked || !prepared) continue
      for (const [at, name] of tracked.tables.entries())
        addRows(cited.get(name) as Set<number>, values[names.length + at] ?? null)
    }
    return { columns: names, rows, truncated, citations: this.#cite(read, cited) }
  }

  #prepare(sql: string): StatementSync {
    try {
      const statement = this.#db.prepare(sql)
      statement.setReturnArrays(true)
      statement.setReadBigInts(true)
      return statement
    } catch (error) {
      throw this.#guard.denied === undefined ? error : new SqlError(this.#guard.denied)
    }
  }

  /** Null if the statement has a shape in which row numbers have no place. */
  #tryPrepare({ sql }: TrackedStatement): StatementSync | null {
    try {
      return this.#prepare(sql)
    } catch {
      return null
    }
  }

  /** The tracked rows of a table, or all of a table that was read in another place. */
  #cite(read: ReadonlySet<string>, cited: ReadonlyMap<string, Set<number>>): RowCitation[] {
    return this.#tables.flatMap(({ sqlName, text }, table) => {
      const name = sqlName.toLowerCase()
      const spans = this.#spans[table] ?? []
      const tracked = cited.get(name)
      if (!tracked && !read.has(name)) return []
      const rows = tracked ? [...tracked].sort((one, other) => one - other) : spans.map((_, at) => at + 1)
      const first = spans[(rows[0] ?? 0) - 1]
      const last = spans[(rows.at(-1) ?? 0) - 1]
      if (!first || !last) return []
      return [{ table, rows, start: first.start, end: last.end, passages: toPassages(text, rows, spans) }]
    })
  }
}

function toPassages(text: string, rows: readonly number[], spans: readonly Span[]): RowPassage[] {
  const passages: RowPassage[] = []
  for (const row of rows) {
    const { start, end } = spans[row - 1] as Span
    const last = passages.at(-1)
    const isNext = last?.rows.at(-1) === row - 1 && last.rows.length < maxPassageRows
    if (last && isNext && end - last.start <= maxPassageCharacters) {
      last.rows.push(row)
      last.text = text.slice(last.start, end)
    } else if (passages.length < maxPassages) passages.push({ rows: [row], start, text: text.slice(start, end) })
    else break
  }
  return passages
}

function addRows(rows: Set<number>, value: SQLOutputValue): void {
  if (typeof value === 'bigint') rows.add(Number(value))
  else if (typeof value === 'string') {
    for (const row of JSON.parse(value) as (number | null)[]) if (row !== null) rows.add(row)
  }
}

function toCell(value: SQLOutputValue, isBoolean: boolean): Cell {
  if (typeof value === 'bigint') {
    if (isBoolean && (value === 0n || value === 1n)) return value === 1n
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/** Adds the names that there are to an error about a name that there is not. */
function explain({ message, errcode: code }: SqliteError, tables: readonly QueryTable[]): string {
  if (code === 7) return 'The query needs too much memory. Select fewer rows or columns.'
  if (code === 18) return 'The query makes a value that is too long.'
  if (/^no such column/i.test(message)) {
    const columns = tables.map(
      ({ sqlName, columns: each }) => `${sqlName} (${each.map(({ sql_name }) => sql_name).join(', ')})`,
    )
    return `${sentence(message)} There are: ${columns.join('; ')}.`
  }
  return sentence(message)
}

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/[.\s]*$/, '.')
