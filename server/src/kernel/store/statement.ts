import type { Statement } from './commits.ts'
import type { Engine } from './database.ts'

type Cells = Record<string, unknown>

/**
 * Statements for the hottest writes, put together as text: a query builder would cost more than the statement itself.
 * Names come from the code, never from a caller; values are always parameters.
 */
export interface StatementMaker {
  insert(table: string, row: Cells): Statement
  update(table: string, set: Cells, where: Cells, changes?: number): Statement
  /** Adds to the rows that are there under the key, and makes those that are not. */
  accumulate(table: string, rows: Cells[], key: readonly string[], sums: readonly string[]): Statement
  /** Any other statement, with a question mark for each parameter. */
  raw(sql: string, parameters: readonly unknown[], changes?: number): Statement
}

export function statementMaker(engine: Engine): StatementMaker {
  const value = (cell: unknown) => (typeof cell === 'boolean' && engine === 'sqlite' ? Number(cell) : cell)
  const mark = engine === 'sqlite' ? () => '?' : (position: number) => `$${position}`
  const inserts = new TextsByNames()
  const updates = new TextsByNames()
  const raws = new Map<string, string>()
  return {
    insert(table, row) {
      const names = Object.keys(row)
      const sql = inserts.find(
        table,
        names,
        () => `insert into ${table} (${names}) values (${names.map((_, index) => mark(index + 1))})`,
      )
      return { sql, parameters: Object.values(row).map(value) }
    },
    update(table, set, where, changes) {
      const names = Object.keys(set)
      const parameters = Object.values(set).map(value)
      for (const name in where) {
        const cell = where[name]
        names.push(name, cell === null ? 'is null' : '= ?')
        if (cell !== null) parameters.push(value(cell))
      }
      const sql = updates.find(table, names, () => {
        let position = 0
        const assignments = Object.keys(set).map((name) => `${name} = ${mark(++position)}`)
        const conditions = Object.entries(where).map(([name, cell]) =>
          cell === null ? `${name} is null` : `${name} = ${mark(++position)}`,
        )
        return `update ${table} set ${assignments} where ${conditions.join(' and ')}`
      })
      return { sql, parameters, ...(changes !== undefined && { changes }) }
    },
    accumulate(table, rows, key, sums) {
      const names = Object.keys(rows[0] ?? {})
      let position = 0
      const values = rows.map(() => `(${names.map(() => mark(++position))})`)
      const additions = sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`)
      const sql = `insert into ${table} (${names}) values ${values} on conflict (${key}) do update set ${additions}`
      return { sql, parameters: rows.flatMap((row) => names.map((name) => value(row[name]))) }
    },
    raw(text, parameters, changes) {
      let sql = raws.get(text)
      if (sql === undefined) {
        let position = 0
        sql = text.replace(/\?/g, () => mark(++position))
        raws.set(text, sql)
      }
      return { sql, parameters: parameters.map(value), ...(changes !== undefined && { changes }) }
    },
  }
}

/** The texts of statements by the names in them: a few are compared sooner than they are put together, and the text stays the same one. */
class TextsByNames {
  private readonly known = new Map<string, { names: string[]; text: string }[]>()

  find(table: string, names: string[], make: () => string): string {
    let texts = this.known.get(table)
    if (!texts) {
      texts = []
      this.known.set(table, texts)
    }
    for (const known of texts) if (isSame(known.names, names)) return known.text
    const text = make()
    texts.push({ names, text })
    return text
  }
}

function isSame(some: string[], others: string[]): boolean {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false
  return true
}
