import type { Engine } from './database.ts'

/** A statement with its parameters. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** The number of rows it must change; otherwise its transaction is rolled back with a `Conflict`. */
  changes?: number
}

type Cells = Record<string, unknown>

/**
 * Builds statements for `Commits` as text, because compiling them with Kysely takes longer than running them. Names come
 * from the code, never from a caller; values are always parameters.
 */
export interface StatementBuilder {
  insert(table: string, row: Cells): Statement
  update(table: string, set: Cells, where: Cells, changes?: number): Statement
  /** Adds to the rows with the key; inserts missing rows. */
  accumulate(table: string, rows: Cells[], key: readonly string[], sums: readonly string[]): Statement
  /** Any other statement, with `?` for each parameter. */
  raw(sql: string, parameters: readonly unknown[], changes?: number): Statement
}

export function statementBuilder(engine: Engine): StatementBuilder {
  const raw = (text: string, parameters: readonly unknown[], changes?: number): Statement => {
    let position = 0
    const sql = engine === 'postgres' ? text.replace(/\?/g, () => `$${++position}`) : text
    return { sql, parameters, ...(changes !== undefined && { changes }) }
  }
  const placeholders = (names: readonly string[]) => names.map(() => '?').join(', ')
  return {
    raw,
    insert(table, row) {
      const names = Object.keys(row)
      return raw(`insert into ${table} (${names.join(', ')}) values (${placeholders(names)})`, Object.values(row))
    },
    update(table, set, where, changes) {
      const assignments = Object.keys(set).map((name) => `${name} = ?`)
      const conditions = Object.entries(where).map(([name, cell]) => `${name} ${cell === null ? 'is null' : '= ?'}`)
      const cells = [...Object.values(set), ...Object.values(where).filter((cell) => cell !== null)]
      return raw(`update ${table} set ${assignments.join(', ')} where ${conditions.join(' and ')}`, cells, changes)
    },
    accumulate(table, rows, key, sums) {
      const names = Object.keys(rows[0] ?? {})
      const values = rows.map(() => `(${placeholders(names)})`).join(', ')
      const additions = sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')
      return raw(
        `insert into ${table} (${names.join(', ')}) values ${values} on conflict (${key.join(', ')}) do update set ${additions}`,
        rows.flatMap((row) => names.map((name) => row[name])),
      )
    },
  }
}
