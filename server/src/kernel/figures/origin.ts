import BetterSqlite from 'better-sqlite3'
import pg from 'pg'

type Cell = string | number | null
type Parameters = Record<string, string>

/** The database that books are made from, as it was at one moment. */
export interface Snapshot {
  rows(sql: string, parameters: Parameters): Promise<Cell[][]>
}

export interface Origin {
  /** Everything that is read meanwhile is of the same moment. */
  reading<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function sqliteOrigin(file: string): Origin {
  const sqlite = new BetterSqlite(file, { readonly: true })
  const prepared = new Map<string, BetterSqlite.Statement>()
  const snapshot: Snapshot = {
    async rows(sql, parameters) {
      let statement = prepared.get(sql)
      if (!statement) {
        statement = sqlite.prepare(sql).raw()
        prepared.set(sql, statement)
      }
      return statement.all(parameters) as Cell[][]
    },
  }
  return {
    async reading(work) {
      sqlite.exec('begin')
      try {
        return await work(snapshot)
      } finally {
        sqlite.exec('commit')
      }
    },
    close: async () => void sqlite.close(),
  }
}

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
