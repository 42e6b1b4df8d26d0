import { type Kysely, sql } from 'kysely'
import { watchConfiguration } from '../../kernel/store/configuration.ts'
import { isPostgres } from '../../kernel/store/database.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const memoryMigration: DatedMigration = {
  name: '2026-11-18-21-memories',
  async up(db) {
    await createMemories(db)
    await createVersions(db)
    await createQueue(db)
    await createTriggers(db)
    await db.schema
      .createTable('memory_setting')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey().references('workspace.id').onDelete('cascade'))
      .addColumn('enabled', 'boolean', (column) => column.notNull())
      .execute()
    await watchConfiguration(db, 'memory_setting')
  },
}

/** Versions that a person wrote outlive their source, and the deletion of a source brings back the version before it. */
export const memoryVersionsMigration: DatedMigration = {
  name: '2026-11-19-05-memory-versions',
  async up(db) {
    await db.schema
      .alterTable('memory_version')
      .addColumn('edited', 'boolean', (column) => column.notNull().defaultTo(false))
      .execute()
    await sql`update memory_version set edited = true where message_id is null`.execute(db)
    const newest = 'from memory_version v where v.memory_id = memory.id order by v.revision desc limit 1'
    const restored = isPostgres(db) ? "source::json ->> 'message_id'" : "json_extract(source, '$.message_id')"
    const body = `delete from memory_version where message_id = old.id and not edited;
      update memory_version set message_id = null, source = 'null' where message_id = old.id;
      update memory set message_id = null, source = 'null' where message_id = old.id and edited;
      delete from memory where message_id = old.id
      and not exists (select 1 from memory_version v where v.memory_id = memory.id);
      update memory set revision = revision + 1,
      (content, source, edited, updated_at) = (select v.content, v.source, v.edited, v.created_at ${newest})
      where message_id = old.id;
      delete from memory_version where memory_id in (select id from memory where message_id = old.id)
      and revision = (select max(v.revision) from memory_version v where v.memory_id = memory_version.memory_id);
      update memory set message_id = ${restored} where message_id = old.id;`
    // On Postgres the trigger calls the function, so that nobody who deletes messages meanwhile has to wait.
    if (isPostgres(db)) return void (await triggerFunction(db, sourceDeleted, deletion, body))
    await sql.raw(`drop trigger ${sourceDeleted}`).execute(db)
    await trigger(db, sourceDeleted, deletion, body)
  },
}

const sourceDeleted = 'memory_source_deleted'
const deletion = 'before delete on message'

async function createMemories(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memory')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('agent_id', 'text')
    .addColumn('source', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('message_id', 'text', (column) => column.references('message.id'))
    .addColumn('edited', 'boolean', (column) => column.notNull())
    .addColumn('last_recalled_at', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  const indexes = { list: ['created_at'], user: ['user_id', 'created_at'], agent: ['agent_id', 'created_at'] }
  for (const [name, columns] of Object.entries(indexes))
    await db.schema
      .createIndex(`memory_${name}`)
      .on('memory')
      .columns(['workspace_id', ...columns, 'id'])
      .execute()
  await sql`create index memory_source on memory (message_id) where message_id is not null`.execute(db)
}

async function createVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memory_version')
    .addColumn('memory_id', 'text', (column) => column.notNull().references('memory.id').onDelete('cascade'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.references('message.id'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('replaced_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('memory_version_key', ['memory_id', 'revision'])
    .execute()
  await sql`create index memory_version_source on memory_version (message_id) where message_id is not null`.execute(db)
}

/** Facts whose entry in the search index is out of date. A change that comes while one is indexed raises `change`. */
async function createQueue(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memory_unindexed')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('change', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('memory_unindexed_workspace').on('memory_unindexed').column('workspace_id').execute()
}

/**
 * Triggers, so that no way of deleting a message, a conversation or a person leaves a fact behind, or one that the search
 * index does not learn of.
 */
async function createTriggers(db: Kysely<unknown>): Promise<void> {
  const queue = (row: 'new' | 'old') => `
    insert into memory_unindexed (id, workspace_id, change) select ${row}.id, ${row}.workspace_id, 1
    where exists (select 1 from workspace where id = ${row}.workspace_id)
    on conflict (id) do update set change = memory_unindexed.change + 1;`
  await trigger(db, 'memory_inserted', 'after insert on memory', queue('new'))
  await trigger(db, 'memory_changed', 'after update of content on memory', queue('new'))
  await trigger(db, 'memory_deleted', 'after delete on memory', queue('old'))
  await trigger(
    db,
    sourceDeleted,
    deletion,
    `delete from memory_version where message_id = old.id;
     delete from memory where message_id = old.id and not edited;
     update memory set message_id = null, source = 'null' where message_id = old.id;`,
  )
}

async function trigger(db: Kysely<unknown>, name: string, event: string, body: string): Promise<void> {
  if (!isPostgres(db)) return void (await sql.raw(`create trigger ${name} ${event} begin ${body} end`).execute(db))
  await triggerFunction(db, name, event, body)
  await sql.raw(`create trigger ${name} ${event} for each row execute function ${name}()`).execute(db)
}

async function triggerFunction(db: Kysely<unknown>, name: string, event: string, body: string): Promise<void> {
  const result = event.startsWith('before delete') ? 'old' : 'null'
  const code = `begin ${body} return ${result}; end`
  await sql.raw(`create or replace function ${name}() returns trigger language plpgsql as $$ ${code} $$`).execute(db)
}
