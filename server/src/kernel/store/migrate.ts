import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ConfigError } from '../config.ts'
import { reason } from '../errors.ts'
import { type Db, isPostgres } from './database.ts'
import { isOlder, type Release, readStamp, stampRelease, thisRelease } from './release.ts'

/** Forward only. Names start with a date; migrations run in the order of their names. */
export interface DatedMigration {
  name: `${number}-${number}-${number}-${string}`
  up(db: Kysely<unknown>): Promise<void>
}

/**
 * Migrates the database to the schema of this release, in one transaction. The migrator holds a lock, so nodes may start together. A schema of
 * the next release is used as it is, because nodes are replaced one by one. Throws if it is of a later one. Returns the names of the
 * migrations that it has run.
 */
export async function migrate(db: Db, migrations: DatedMigration[], release: Release = thisRelease): Promise<string[]> {
  const known = Object.fromEntries(migrations.map(({ name, up }) => [name, { up: withImmediateTriggers(up) }]))
  const applied = await appliedNames(db)
  const newer = applied.filter((name) => !(name in known))
  if (newer.length > 0) {
    await checkNewerSchema(db, newer, release)
    return []
  }
  // Faster than the migrator, which inspects every table.
  const ran = Object.keys(known).length > applied.length ? await runMigrations(db, known) : []
  await stampRelease(db, release)
  return ran
}

/** Postgres cannot change a table whose rows a trigger has yet to see. */
const withImmediateTriggers =
  (up: Migration['up']): Migration['up'] =>
  async (db) => {
    if (isPostgres(db)) await sql`set constraints all immediate`.execute(db)
    await up(db)
  }

async function runMigrations(db: Db, known: Record<string, Migration>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known }, allowUnorderedMigrations: true })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (!error) return results.map(({ migrationName }) => migrationName)
  const failed = results.find(({ status }) => status === 'Error')?.migrationName
  throw new ConfigError(
    `The database could not be migrated, and was not changed: ${failed ? `${failed} failed (${reason(error)})` : reason(error)}.`,
    { cause: error },
  )
}

async function checkNewerSchema(db: Db, newer: string[], { version }: Release): Promise<void> {
  const stamp = await readStamp(db).catch(() => undefined)
  if (stamp && !isOlder(version, stamp.oldest_version)) return
  const hint = stamp ? `Start ${stamp.oldest_version} or newer` : 'Start that version'
  throw new ConfigError(
    `The database was changed by a newer version of Parley${stamp ? `, ${stamp.version}` : ''} (${newer.join(', ')}), which ${version} cannot use. ${hint}, or restore an older backup.`,
  )
}

/** The names of the migrations that this database has. */
export async function appliedNames(db: Db): Promise<string[]> {
  const catalogue = isPostgres(db)
    ? sql`select 1 where to_regclass('kysely_migration') is not null`
    : sql`select 1 from sqlite_master where name = 'kysely_migration'`
  if ((await catalogue.execute(db)).rows.length === 0) return []
  const untyped = db as unknown as Kysely<{ kysely_migration: { name: string } }>
  const rows = await untyped.selectFrom('kysely_migration').select('name').execute()
  return rows.map((row) => row.name)
}
