import pg from 'pg'
import type { Cell, Origin, Parameters } from './origin.ts'

const bigintType = 20

export function postgresOrigin(connectionString: string): Origin {
  const types = new pg.TypeOverrides()
  types.setTypeParser(bigintType, Number)
  const pool = new pg.Pool({ connectionString, types, max: 1 })
  pool.on('error', () => {}) // an idle connection was cut; the next question opens another
  return {
    async reading(work) {
      const client = await pool.connect()
      let failure: Error | undefined
      try {
        await client.query('begin isolation level repeatable read read only')
        return await work({ rows: (sql, parameters) => rowsOf(client, sql, parameters) })
      } catch (error) {
        failure = error as Error
        throw error
      } finally {
        if (!failure) await client.query('commit')
        client.release(failure)
      }
    },
    close: () => pool.end(),
  }
}

async function rowsOf(client: pg.PoolClient, sql: string, parameters: Parameters): Promise<Cell[][]> {
  const values: string[] = []
  const places = new Map<string, number>()
  const text = sql.replace(/\$([a-z]+)/g, (_, name: string) => {
    let place = places.get(name)
    if (place === undefined) {
      place = values.push(parameters[name] ?? '')
      places.set(name, place)
    }
    return `$${place}`
  })
  const { rows } = await client.query({ text, values, rowMode: 'array' })
  return rows
}
