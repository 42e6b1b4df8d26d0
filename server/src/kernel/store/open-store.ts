import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { ConfigError } from '../config.ts'
import { prepareFolder } from '../data-folder.ts'
import { reason } from '../errors.ts'
import { type Commits, createWriter, groupedCommits, pipelinedCommits, type Writer } from './commits.ts'
import type { Db, Engine, Tables } from './database.ts'
import { createReader, type Reader, threadedReads } from './long-reads.ts'
import { type DatedMigration, migrate } from './migrate.ts'
import { closed, postgresMigrationOptions, postgresOptions, postgresTypes } from './postgres.ts'
import { createClearedCache, createRevisedCache, type ReadCache } from './read-cache.ts'
import type { Release } from './release.ts'
import { addUnicodeLower, configureSqlite } from './sqlite.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { WriteLock } from './write-lock.ts'

export interface Store {
  db: Db
  engine: Engine
  commits: Commits
  /** Runs slow reads without blocking others. On Postgres it is `db`: each connection has a process there. */
  longReads: Db
  /** For configuration that every turn reads. */
  cache: ReadCache
  /** The connection pool, for libraries with their own statements. Only on Postgres. */
  pool: pg.Pool | null
  /** Migrates the database to the schema of this release. Returns the names of the migrations that it has run. */
  migrate(migrations: DatedMigration[], release?: Release): Promise<string[]>
  close(): Promise<void>
}

/** Threads with connections to SQLite. Several stores can share them. */
export interface StoreThreads {
  writer: Writer
  reader: Reader
  close(): Promise<void>
}

export function createStoreThreads(): StoreThreads {
  const writer = createWriter()
  const reader = createReader()
  return {
    writer,
    reader,
    async close() {
      await Promise.all([writer.close(), reader.close()])
    },
  }
}

interface StoreSettings {
  databaseUrl: string | null
  dataDir: string
}

/** Closing the store closes its threads, too. */
export async function openStore(
  { databaseUrl, dataDir }: StoreSettings,
  threads: StoreThreads = createStoreThreads(),
): Promise<Store> {
  return databaseUrl === null ? openSqlite(dataDir, threads) : openPostgres(databaseUrl)
}

function openSqlite(dataDir: string, threads: StoreThreads): Store {
  prepareFolder(dataDir)
  const folderLock = lockFolder(dataDir)
  if (existsSync(join(dataDir, unfinishedRestore))) {
    folderLock.close()
    throw new ConfigError(`A backup was not completely restored into ${dataDir}. Run "parley restore" again.`)
  }
  const file = join(dataDir, 'parley.db')
  const writer = new BetterSqlite(file)
  chmodSync(file, 0o600)
  configureSqlite(writer)
  addUnicodeLower(writer)
  const reader = new BetterSqlite(file, { readonly: true })
  addUnicodeLower(reader)
  const writeLock = new WriteLock()
  const commits = groupedCommits(file, writeLock, threads.writer)
  const longReads = threadedReads(file, threads.reader)
  const cache = createClearedCache()
  const db = new Kysely<Tables>({ dialect: sqliteDialect(writer, reader, writeLock, () => cache.clear()) })
  return {
    db,
    engine: 'sqlite',
    commits,
    longReads,
    cache,
    pool: null,
    migrate: (migrations, release) => migrate(db, migrations, release),
    async close() {
      await Promise.all([commits.close(), longReads.destroy()])
      await threads.close()
      await db.destroy()
      folderLock.close()
    },
  }
}

/** This file exists in the data folder while a backup is being restored into it. */
export const unfinishedRestore = 'restoring'

/** Only one process may use a data folder. The operating system releases the lock when the process dies. */
export function lockFolder(dataDir: string): BetterSqlite.Database {
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

async function openPostgres(databaseUrl: string): Promise<Store> {
  const pool = new pg.Pool({ ...postgresOptions(databaseUrl), types: postgresTypes(), pipeline: true })
  pool.on('error', () => {}) // an idle connection was closed; the next query opens a new one
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
    commits: pipelinedCommits(pool),
    longReads: db,
    cache: createRevisedCache(),
    pool,
    async migrate(migrations, release) {
      const unlimited = new pg.Pool({ ...postgresMigrationOptions(databaseUrl), types: postgresTypes() })
      const migrating = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: unlimited }) })
      return migrate(migrating, migrations, release).finally(() => migrating.destroy())
    },
    close: () => closed(db.destroy()),
  }
}
