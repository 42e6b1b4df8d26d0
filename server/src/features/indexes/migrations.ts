import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const indexMigration: DatedMigration = {
  name: '2026-11-15-45-indexes',
  async up(db) {
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
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('search_index_fingerprint')
      .on('search_index')
      .columns(['workspace_id', 'fingerprint'])
      .unique()
      .execute()
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
    await db.schema
      .createTable('search_index_use')
      .addColumn('tool_id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('wanted_id', 'text', (column) => column.notNull())
      .addColumn('serving_id', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('search_index_use_wanted').on('search_index_use').column('wanted_id').execute()
    await db.schema.createIndex('search_index_use_serving').on('search_index_use').column('serving_id').execute()
  },
}

/** How fast an index is embedded, for estimates. */
export const embeddingRateMigration: DatedMigration = {
  name: '2026-11-17-45-embedding-rate',
  async up(db) {
    await db.schema.alterTable('search_index').addColumn('embedding_rate', 'double precision').execute()
  },
}

/** The node that embeds an index, and until when other nodes leave it to that one. */
export const embeddingLeaseMigration: DatedMigration = {
  name: '2026-11-16-45-embedding-lease',
  async up(db) {
    await db.schema.alterTable('search_index').addColumn('embedding_node', 'text').execute()
    await db.schema
      .alterTable('search_index')
      .addColumn('embedding_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
