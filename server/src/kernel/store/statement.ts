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
}

export function statementMaker(engine: Engine): StatementMaker {
  const value = (cell: unknown) => (typeof cell === 'boolean' && engine === 'sqlite' ? Number(cell) : cell)
  const mark = engine === 'sqlite' ? () => '?' : (position: number) => `$${position}`
  return {
    insert(table, row) {
      const names = Object.keys(row)
      const marks = names.map((_, index) => mark(index + 1))
      return { sql: `insert into ${table} (${names}) values (${marks})`, parameters: Object.values(row).map(value) }
    },
    update(table, set, where, changes) {
      let position = 0
      const assignments = Object.keys(set).map((name) => `${name} = ${mark(++position)}`)
      const conditions: string[] = []
      const parameters = Object.values(set).map(value)
      for (const [name, cell] of Object.entries(where)) {
        if (cell === null) conditions.push(`${name} is null`)
        else {
          conditions.push(`${name} = ${mark(++position)}`)
          parameters.push(value(cell))
        }
      }
      const sql = `update ${table} set ${assignments} where ${conditions.join(' and ')}`
      return { sql, parameters, ...(changes !== undefined && { changes }) }
    },
  }
}
