import pg from 'pg'
import { closed, postgresOptions, postgresTypes } from '../store/postgres.ts'
import type { Cell, Parameters, Source } from './source.ts'

export function postgresSource(databaseUrl: string): Source {
  const pool = new pg.Pool({ ...postgresOptions(databaseUrl), types: postgresTypes(), max: 1 })
  pool.on('error', () => {}) // an idle connection was closed; the next query opens another
  return {
    async read(work) {
      const client = await pool.connect()
      let failure: Error | undefined
      try {
        await client.query('begin isolation level repeatable read read only')
        return await work({ rows: (sql, parameters) => queryRows(client, sql, parameters) })
      } catch (error) {
        failure = error as Error
        throw error
      } finally {
        if (!failure) await client.query('commit')
        client.release(failure)
      }
    },
    close: () => closed(pool.end()),
  }
}

/** Turns `$name` into the positions that Postgres expects. */
async function queryRows(client: pg.PoolClient, sql: string, parameters: Parameters): Promise<Cell[][]> {
  const values: string[] = []
  const positions = new Map<string, number>()
  const text = sql.replace(/\$([a-z]+)/g, (_, name: string) => {
    let position = positions.get(name)
    if (position === undefined) {
      position = values.push(parameters[name] ?? '')
      positions.set(name, position)
    }
    return `$${position}`
  })
  const { rows } = await client.query({ text, values, rowMode: 'array' })
  return rows
}
