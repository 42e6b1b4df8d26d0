import {
  type NamedChange,
  openEmbeddedSearch,
  openPostgresSearch,
  type SearchIndex,
  SearchUnavailable,
} from '@parley/search'
import pg from 'pg'
import type { Config } from './config.ts'
import { Problem } from './errors.ts'
import { type Commits, Conflict, type Statement } from './store/commits.ts'
import type { Store } from './store/open-store.ts'
import { postgresMigrationOptions } from './store/postgres.ts'

/** The search index of the service. */
export interface Search extends SearchIndex {
  engine: 'embedded' | 'postgres'
  /** The reason why search is unavailable, with advice. Null if it works. */
  problem: string | null
  /**
   * Changes indexes and commits statements. On Postgres that is one transaction. On SQLite the indexes come first: they
   * are in a separate file, and a change that a crash interrupts is repeated.
   */
  commit(changes: readonly NamedChange[], statements: readonly Statement[]): Promise<void>
}

export const openSearch = (store: Store, { dataDir, databaseUrl }: Config): Search | Promise<Search> =>
  store.pool === null || databaseUrl === null ? embedded(dataDir, store.commits) : onPostgres(store.pool, databaseUrl)

function embedded(dataDir: string, commits: Commits): Search {
  const search = openEmbeddedSearch({ dataDir })
  return {
    ...search,
    engine: 'embedded',
    problem: null,
    async commit(changes, statements) {
      for (const { index, expect: _, ...change } of changes) await search.update(index, change)
      if (statements.length > 0) await commits.commit([...statements])
    },
  }
}

async function onPostgres(pool: pg.Pool, databaseUrl: string): Promise<Search> {
  const openLongPool = () => new pg.Pool({ ...postgresMigrationOptions(databaseUrl), max: 2 })
  try {
    const search = await openPostgresSearch(pool, { openLongPool })
    return {
      ...search,
      engine: 'postgres',
      problem: null,
      async commit(changes, statements) {
        await search.updateAll(changes, async (tx) => {
          for (const { sql, parameters, changes: expected } of statements) {
            const { rowCount } = await tx.query(sql, [...parameters])
            if (expected !== undefined && rowCount !== expected)
              throw new Conflict('A row was changed by another transaction.')
          }
        })
      },
    }
  } catch (error) {
    if (error instanceof SearchUnavailable) return unavailable(error.message)
    throw error
  }
}

/** Everything but knowledge works without a search index. */
function unavailable(problem: string): Search {
  const fail = async (): Promise<never> => {
    throw new Problem('overloaded', problem)
  }
  return {
    engine: 'postgres',
    problem,
    commit: fail,
    update: fail,
    setVectors: fail,
    pendingChunks: fail,
    search: fail,
    documentChunks: fail,
    documentPage: fail,
    describe: fail,
    listIndexes: async () => [],
    load: async () => {},
    drop: async () => {},
    dropWorkspace: async () => {},
    close: async () => {},
  }
}
