import { existsSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { collectMigrations } from '../app.ts'
import { features } from '../features/index.ts'
import type { Config } from '../kernel/config.ts'
import { reason } from '../kernel/errors.ts'
import { createSecrets, readKey } from '../kernel/secrets/secrets.ts'
import type { Db, Tables } from '../kernel/store/database.ts'
import { opensWith } from '../kernel/store/key-check.ts'
import { appliedNames } from '../kernel/store/migrate.ts'
import { postgresOptions } from '../kernel/store/postgres.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Checks the database without writing to it. The service may be running. */
export const inspectDatabase = (config: Config): Promise<Check[]> =>
  config.databaseUrl === null ? inspectSqlite(config) : inspectPostgres(config, config.databaseUrl)

async function inspectSqlite(config: Config): Promise<Check[]> {
  const file = join(config.dataDir, 'parley.db')
  if (!existsSync(file)) return [ok('Database', 'SQLite; the first start creates it')]
  try {
    const db = new Kysely<Tables>({
      dialect: new SqliteDialect({ database: new BetterSqlite(file, { readonly: true }) }),
    })
    try {
      return [ok('Database', `SQLite, ${file}`), await inspectSchema(db), await inspectKey(config, db)]
    } finally {
      await db.destroy()
    }
  } catch (error) {
    return [
      fail('Database', `${file} cannot be read (${reason(error)})`, 'Check its permissions, or restore a backup.'),
    ]
  }
}

async function inspectPostgres(config: Config, url: string): Promise<Check[]> {
  const pool = new pg.Pool({ ...postgresOptions(url), max: 1 })
  pool.on('error', () => {}) // the next query reports it
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { rows } = await pool.query(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
    )
    const { number, version } = rows[0] as { number: number; version: string }
    const database =
      number >= 150_000
        ? ok('Database', `Postgres ${version}`)
        : fail('Database', `Postgres ${version} is too old`, 'Upgrade it to 15 or newer.')
    return [database, await inspectVectors(pool), await inspectSchema(db), await inspectKey(config, db)]
  } catch (error) {
    const hint = 'Start Postgres, or correct DATABASE_URL: host, port, user, password, database and sslmode.'
    return [fail('Database', `the database at DATABASE_URL cannot be used (${reason(error)})`, hint)]
  } finally {
    await db.destroy()
  }
}

async function inspectVectors(pool: pg.Pool): Promise<Check> {
  const { rows } = await pool.query(
    `select default_version, installed_version from pg_available_extensions where name = 'vector'`,
  )
  const [extension] = rows as { default_version: string; installed_version: string | null }[]
  const hint = 'Install pgvector 0.8 or newer on the database server. Without it, knowledge cannot be searched.'
  if (extension === undefined) return fail('pgvector', 'not installed on the database server', hint)
  if (extension.installed_version !== null) return ok('pgvector', extension.installed_version)
  const message = `${extension.default_version} is installed, but not yet created in this database`
  return warn(
    'pgvector',
    message,
    'The first start creates it, if the role may. Otherwise run: create extension vector',
  )
}

async function inspectSchema(db: Db): Promise<Check> {
  const known = collectMigrations(features).map(({ name }) => name as string)
  const applied = new Set(await appliedNames(db))
  const newer = [...applied].filter((name) => !known.includes(name))
  const pending = known.filter((name) => !applied.has(name))
  if (newer.length > 0) {
    const message = `the database is of a newer version of Parley (${newer.length} unknown migrations)`
    return warn('Schema', message, 'Upgrade this checkout to the version of the service.')
  }
  if (pending.length === 0) return ok('Schema', `up to date, ${applied.size} migrations`)
  const hint = 'The next start migrates it. Make a backup first: parley backup <folder>'
  return warn('Schema', `${pending.length} migrations are pending`, hint)
}

async function inspectKey(config: Config, db: Db): Promise<Check> {
  const name = 'Secret key'
  const isInFile = existsSync(join(config.dataDir, 'secret-key'))
  // Reading the key would create the file.
  if (config.secretKey === null && !isInFile) {
    const hint = 'Set SECRET_KEY, or put the file secret-key back from a backup. Without it, API keys cannot be read.'
    return fail(name, 'neither SECRET_KEY nor the file secret-key of the data folder exists', hint)
  }
  const isKnown = (await appliedNames(db)).length > 0
  if (isKnown && !(await opensWith(db, createSecrets(readKey(config))))) {
    const hint = 'Set SECRET_KEY to the one that the service was started with, the same on every node.'
    return fail(name, 'the secrets of this database were encrypted with another key', hint)
  }
  if (config.databaseUrl !== null && config.secretKey === null) {
    const hint = 'Set SECRET_KEY, the same on every node.'
    return warn(name, 'in the data folder of this machine, where other nodes cannot read it', hint)
  }
  return ok(name, config.secretKey === null ? 'in the data folder' : 'from SECRET_KEY')
}
