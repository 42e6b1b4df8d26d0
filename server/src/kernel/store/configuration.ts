import { type Expression, type Kysely, sql } from 'kysely'
import { type Db, isPostgres } from './database.ts'

declare module './database.ts' {
  interface Tables {
    /** On Postgres, a number for each workspace that grows with every change of its configuration. */
    configuration: { workspace_id: string; revision: number }
  }
}

export async function createConfigurationTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('configuration')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey().references('workspace.id').onDelete('cascade'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .execute()
  if (!isPostgres(db)) return
  await sql`create function configuration_changed() returns trigger language plpgsql as $$
    begin
      insert into configuration (workspace_id, revision)
        select id, 1 from workspace where id = coalesce(new.workspace_id, old.workspace_id)
        on conflict (workspace_id) do update set revision = configuration.revision + 1;
      return null;
    end $$`.execute(db)
}

/**
 * Changes of this table count as changes of the configuration, which nodes cache by its revision (see `ReadCache`). The
 * trigger runs at the end of a transaction: the lock of the revision is its last one, so no other transaction waits for it
 * in a circle.
 */
export async function watchConfiguration(db: Kysely<unknown>, table: string): Promise<void> {
  if (!isPostgres(db)) return
  await sql`create constraint trigger ${sql.id(`${table}_configuration`)} after insert or update or delete on ${sql.table(table)}
    deferrable initially deferred for each row execute function configuration_changed()`.execute(db)
}

/** A column for the query that finds a caller: the revision of the workspace's configuration. */
export const configurationRevision = (db: Db, workspace: Expression<string>) =>
  db.selectFrom('configuration').select('revision').where('workspace_id', '=', workspace).as('configuration')
