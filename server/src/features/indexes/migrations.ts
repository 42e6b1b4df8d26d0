import type { Kysely } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const indexMigration: DatedMigration = {
  name: '2026-11-17-09-indexes',
  async up(db) {
    await createIndexes(db)
    await createSources(db)
    await createUses(db)
  },
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_index')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('chunk_size', 'integer', (column) => column.notNull())
    .addColumn('chunk_overlap', 'integer', (column) => column.notNull())
    .addColumn('model_id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('is_default', 'boolean', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_message', 'text')
    .addColumn('refine_message', 'text')
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .addColumn('unneeded_since', 'bigint')
    .addColumn('embedding_node', 'text')
    .addColumn('embedding_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('embedding_rate', 'double precision')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('search_index_fingerprint')
    .on('search_index')
    .columns(['workspace_id', 'fingerprint'])
    .unique()
    .execute()
}

async function createSources(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_index_source')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('source_id', 'text', (column) => column.notNull())
    .addColumn('index_id', 'text', (column) => column.notNull().references('search_index.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('search_index_source_key', ['source_id', 'index_id'])
    .execute()
  await db.schema
    .createIndex('search_index_source_index')
    .on('search_index_source')
    .columns(['index_id', 'source_id'])
    .execute()
}

async function createUses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_index_use')
    .addColumn('tool_id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('wanted_id', 'text', (column) => column.notNull())
    .addColumn('serving_id', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('search_index_use_wanted').on('search_index_use').column('wanted_id').execute()
  await db.schema.createIndex('search_index_use_serving').on('search_index_use').column('serving_id').execute()
}
