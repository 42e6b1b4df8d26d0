import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ConfigError } from '../config.ts'
import { reason } from '../errors.ts'
import type { Db } from './database.ts'

/** Forward only. The name starts with its date, and the list is run in the order of the names. */
export interface DatedMigration {
  name: `${number}-${number}-${number}-${string}`
  up(db: Kysely<unknown>): Promise<void>
}

/**
 * Brings the database to this version's schema. Nodes that start together take turns (the migrator holds a lock),
 * and a database that a newer version has changed is refused, because its shape is not known here.
 */
export async function migrate(db: Db, migrations: DatedMigration[]): Promise<void> {
  const known = Object.fromEntries(migrations.map(({ name, up }) => [name, { up } as Migration]))
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known }, allowUnorderedMigrations: true })
  const newer = (await appliedNames(db)).filter((name) => !(name in known))
  if (newer.length > 0) {
    throw new ConfigError(
      `The database was changed by a newer version of Parley (${newer.join(', ')}). Start that version, or restore an older backup.`,
    )
  }
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error(`The database could not be brought up to date: ${reason(error)}`, { cause: error })
}

async function appliedNames(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const untyped = db as unknown as Kysely<{ kysely_migration: { name: string } }>
  const rows = await untyped.selectFrom('kysely_migration').select('name').execute()
  return rows.map((row) => row.name)
}
