import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { ConfigError } from '../config.ts'
import { reason } from '../errors.ts'
import { countChanges } from './changes.ts'
import { type Commits, groupedCommits, plainCommits } from './commits.ts'
import { directCommits } from './direct-commits.ts'
import { type LongReads, plainReads, threadedReads } from './long-reads.ts'
import { tuneSqlite, withStatementCache } from './sqlite.ts'
import { createReader } from './sqlite-reader.ts'
import { type StatementMaker, statementMaker } from './statement.ts'

/** The tables, each declared by the feature that owns it (`declare module` adds to this interface). */
// biome-ignore lint/suspicious/noEmptyInterface: features add their tables to it
export interface Tables {}

/** A connection or a transaction: whatever takes one serves inside and outside of a transaction. */
export type Db = Kysely<Tables>

export type Engine = 'sqlite' | 'postgres'

export interface Store {
  db: Db
  engine: Engine
  commits: Commits
  statements: StatementMaker
  longReads: LongReads
  /** A number that stays the same as long as nothing lasting is written; null where others write too and it cannot be known. */
  changes(): number | null
  /** A number that stays the same as long as nothing at all is written, each statement of a unit adding one; null likewise. */
  writes(): number | null
  /** Names tables whose rows come and go all the time: what is written to them is no lasting change. */
  leaveOutChanges(tables: readonly string[]): void
  /** The connections behind it, for libraries that bring their own statements. Only on Postgres. */
  pool: pg.Pool | null
  close(): Promise<void>
}

/** Where SQLite is read outside of transactions: a connection of its own answers at once and never waits for a writer. */
const readers = new WeakMap<Db, (sql: string, parameters: readonly unknown[]) => unknown[]>()

/** The rows that a finished query finds, by the shortest way there is. */
export async function rowsOf<Row>(db: Db, query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Row[]> {
  const read = readers.get(db)
  if (read) return read(query.sql, query.parameters) as Row[]
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(query.sql, [...query.parameters]))
  return rows
}

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Runs in the caller's transaction when there is one, else in its own. */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute((tx: Transaction<Tables>) => work(tx))

export async function openStore(settings: { databaseUrl: string | null; dataDir: string }): Promise<Store> {
  return settings.databaseUrl === null ? openSqlite(settings.dataDir) : openPostgres(settings.databaseUrl)
}

function openSqlite(dataDir: string): Store {
  prepareFolder(dataDir)
  const lock = lockFolder(dataDir)
  const file = join(dataDir, 'parley.db')
  const sqlite = new BetterSqlite(file)
  chmodSync(file, 0o600)
  tuneSqlite(sqlite)
  knowEveryLanguage(sqlite)
  const changes = countChanges()
  const commits = groupedCommits(file, changes.note, directCommits(sqlite))
  const longReads = threadedReads(file)
  const db = new Kysely<Tables>({
    dialect: takingTurns(commits, { database: withStatementCache(sqlite, changes.note, commits.giveUp) }),
  })
  const reading = new BetterSqlite(file, { readonly: true })
  knowEveryLanguage(reading)
  readers.set(db, createReader(reading, changes.all))
  return {
    db,
    engine: 'sqlite',
    commits,
    statements: statementMaker('sqlite'),
    longReads,
    changes: changes.lasting,
    writes: changes.all,
    leaveOutChanges: changes.leaveOut,
    pool: null,
    async close() {
      await Promise.all([commits.close(), longReads.close()])
      await db.destroy()
      reading.close()
      lock.close()
    },
  }
}

/** SQLite's own lower() knows only ASCII; searches should treat every language alike. */
function knowEveryLanguage(sqlite: BetterSqlite.Database): void {
  sqlite.function('lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  )
}

export function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(`The data folder ${dataDir} cannot be made (${reason(error)}). Set DATA_DIR to one that can.`)
  }
}

/** One process owns a data folder. The lock is the operating system's, so it dies with the process. */
function lockFolder(dataDir: string): BetterSqlite.Database {
  try {
    const lock = new BetterSqlite(join(dataDir, 'parley.lock'), { timeout: 0 })
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') {
      throw new ConfigError(
        `Another Parley is using the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
      )
    }
    throw new ConfigError(
      `The data folder ${dataDir} cannot be written (${reason(error)}). Set DATA_DIR to one that can.`,
    )
  }
}

/**
 * SQLite has one writer at a time. Transactions here and the grouped commits take turns by agreement, because a writer
 * that meets another one's lock would sleep, and the event loop with it.
 */
function takingTurns(commits: Commits, config: SqliteDialectConfig): SqliteDialect {
  class TakingTurns extends SqliteDriver {
    private release: () => void = () => {}

    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      this.release = await commits.hold()
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    }

    override async commitTransaction(connection: DatabaseConnection): Promise<void> {
      await super.commitTransaction(connection).finally(this.release)
    }

    override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
      await super.rollbackTransaction(connection).finally(this.release)
    }
  }
  return new (class extends SqliteDialect {
    override createDriver(): Driver {
      return new TakingTurns(config)
    }
  })(config)
}

const bigintType = 20

async function openPostgres(connectionString: string): Promise<Store> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(bigintType, Number)
  const pool = new pg.Pool({ connectionString, types, max: 20, connectionTimeoutMillis: 10_000 })
  pool.on('error', () => {}) // an idle connection was cut; the next query opens another
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    throw new ConfigError(`The database at DATABASE_URL cannot be reached (${reason(error)}).`)
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    engine: 'postgres',
    commits: plainCommits(db),
    statements: statementMaker('postgres'),
    longReads: plainReads(db),
    changes: () => null,
    writes: () => null,
    leaveOutChanges: () => {},
    pool,
    close: () => db.destroy(),
  }
}
