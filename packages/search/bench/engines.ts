import pg from 'pg'
import { openPostgresSearch, type SearchIndex } from '../src/index.ts'

export interface Engine {
  name: string
  search: SearchIndex
  /** The same indexes, compared without an index of vectors or words. */
  exact?: SearchIndex
  /** The bytes of everything that it has stored. */
  storedBytes?(): Promise<number>
}

/** The engine on Postgres in a database of its own, which it deletes at the end. */
export async function openPostgresEngine(url: string): Promise<Engine> {
  const name = `search_bench_${process.pid}`
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query(`create database ${name}`)
  const target = new URL(url)
  target.pathname = name
  const pool = new pg.Pool({ connectionString: target.href, max: 16 })
  const search = await openPostgresSearch(pool)
  const everything = 1_000_000_000
  const exact = await openPostgresSearch(pool, { exact: everything })
  return {
    name: 'Postgres',
    exact,
    search: {
      ...search,
      async close() {
        await Promise.all([search.close(), exact.close()])
        await pool.end()
        await admin.query(`drop database ${name}`)
        await admin.end()
      },
    },
    async storedBytes() {
      const { rows } = await pool.query('select pg_database_size(current_database())::float8 as bytes')
      return rows[0].bytes
    },
  }
}
