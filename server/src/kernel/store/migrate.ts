import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ConfigError } from '../config.ts'
import { reason } from '../errors.ts'
import { type Db, isPostgres } from './database.ts'

/** Forward only. Names start with a date; migrations run in the order of their names. */
export interface DatedMigration {
  name: `${number}-${number}-${number}-${string}`
  up(db: Kysely<unknown>): Promise<void>
}

/**
 * Migrates the database to the schema of this version. The migrator holds a lock, so nodes may start together. Throws if
 * a newer version has migrated the database, because its schema is unknown here.
 */
export async function migrate(db: Db, migrations: DatedMigration[]): Promise<void> {
  const known = Object.fromEntries(migrations.map(({ name, up }) => [name, { up } as Migration]))
  const applied = await appliedNames(db)
  const newer = applied.filter((name) => !(name in known))
  if (newer.length > 0) {
    throw new ConfigError(
      `The database was changed by a newer version of Parley (${newer.join(', ')}). Start that version, or restore an older backup.`,
    )
  }
  if (Object.keys(known).length === applied.length) return // faster than the migrator, which inspects every table
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known }, allowUnorderedMigrations: true })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error(`The database could not be migrated: ${reason(error)}`, { cause: error })
}

async function appliedNames(db: Db): Promise<string[]> {
  const catalogue = isPostgres(db)
    ? sql`select 1 where to_regclass('kysely_migration') is not null`
    : sql`select 1 from sqlite_master where name = 'kysely_migration'`
  if ((await catalogue.execute(db)).rows.length === 0) return []
  const untyped = db as unknown as Kysely<{ kysely_migration: { name: string } }>
  const rows = await untyped.selectFrom('kysely_migration').select('name').execute()
  return rows.map((row) => row.name)
}
