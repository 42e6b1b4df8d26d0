import { CompiledQuery } from 'kysely'
import { type Db, isPostgres } from './database.ts'

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

/** A placeholder for a value that is known when the statement is created. */
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
      template = compileTemplate(names, (placeholders) => build(db, placeholders as Values))
      compiled.set(shape, template)
    }
    const cells = values as Record<string, unknown>
    const parameters = template.parameters.map((each) => (each instanceof Placeholder ? cells[each.name] : each))
    return { sql: template.sql, parameters, ...(changes !== undefined && { changes }) }
  }
}

/** Runs a prepared query. */
export async function readRows<Row>(db: Db, { sql, parameters }: Statement): Promise<Row[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(sql, [...parameters]))
  return rows as Row[]
}

/** The statement with placeholders for its values. */
function compileTemplate(names: string[], build: (placeholders: object) => Query): Statement {
  const placeholders = names.map((name) => [name, new Placeholder(name)] as const)
  const template = statement(build(Object.fromEntries(placeholders)))
  const unused = placeholders.filter(([, placeholder]) => !template.parameters.includes(placeholder))
  if (unused.length > 0) throw new Error(`${template.sql} does not use ${unused.map(([name]) => name).join(', ')}.`)
  return template
}
