import { type Kysely, sql } from 'kysely'
import { watchConfiguration } from '../../kernel/store/configuration.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { createTrigger } from '../../kernel/store/trigger.ts'
import { workspaceExists } from '../../kernel/store/workspaces.ts'

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
  },
}

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

/** Triggers, so that no way of deleting or changing a fact leaves one behind that the search index does not learn of. */
async function createTriggers(db: Kysely<unknown>): Promise<void> {
  const queue = (row: 'new' | 'old') => `
    insert into memory_unindexed (id, workspace_id, change) select ${row}.id, ${row}.workspace_id, 1
    where ${workspaceExists(`${row}.workspace_id`)}
    on conflict (id) do update set change = memory_unindexed.change + 1;`
  await createTrigger(db, 'memory_inserted', 'after insert on memory', queue('new'))
  await createTrigger(db, 'memory_changed', 'after update of content on memory', queue('new'))
  await createTrigger(db, 'memory_deleted', 'after delete on memory', queue('old'))
}
