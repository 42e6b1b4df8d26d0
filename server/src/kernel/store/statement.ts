import type { CompiledQuery } from 'kysely'
import { type Db, type Engine, isPostgres } from './database.ts'

/** A statement with its parameters. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** The number of rows it must change; otherwise its transaction is rolled back with a `Conflict`. */
  changes?: number
}

interface Query {
  compile(): CompiledQuery
}

/** A query as a statement. `changes` is the number of rows it must change. */
export function statement(query: Query, changes?: number): Statement {
  const { sql, parameters } = query.compile()
  return { sql, parameters, ...(changes !== undefined && { changes }) }
}

/** Stands for a value that is known when the statement is made. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is compiled once for each engine and each set of names in `values`, because compiling takes longer than
 * running. `build` gets placeholders instead of the values, which it can only pass on to Kysely. A value that may be null is
 * compared with `is not distinct from`.
 */
export function prepared<Values extends object>(build: (db: Db, values: Values) => Query) {
  const onSqlite = new Map<string, Statement>()
  const onPostgres = new Map<string, Statement>()
  return (db: Db, values: Values, changes?: number): Statement => {
    const names = Object.keys(values)
    const compiled = isPostgres(db) ? onPostgres : onSqlite
    const shape = names.join()
    let template = compiled.get(shape)
    if (!template) {
      template = templateOf(names, (placeholders) => build(db, placeholders as Values))
      compiled.set(shape, template)
    }
    const cells = values as Record<string, unknown>
    const parameters = template.parameters.map((each) => (each instanceof Placeholder ? cells[each.name] : each))
    return { sql: template.sql, parameters, ...(changes !== undefined && { changes }) }
  }
}

/** The statement with placeholders for its values. */
function templateOf(names: string[], build: (placeholders: object) => Query): Statement {
  const placeholders = names.map((name) => [name, new Placeholder(name)] as const)
  const template = statement(build(Object.fromEntries(placeholders)))
  const unused = placeholders.filter(([, placeholder]) => !template.parameters.includes(placeholder))
  if (unused.length > 0) throw new Error(`${template.sql} does not use ${unused.map(([name]) => name).join(', ')}.`)
  return template
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
