import { sql } from 'kysely'
import { watchConfiguration } from '../../kernel/store/configuration.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const testMigration: DatedMigration = {
  name: '2026-11-18-06-model-tests',
  async up(db) {
    await db.schema.alterTable('model').addColumn('last_test', 'text').execute()
  },
}

export const modelMigration: DatedMigration = {
  name: '2026-11-17-07-models',
  async up(db) {
    await db.schema
      .createTable('model')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('model_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('api_key_sealed', 'text')
      .addColumn('api_key_hint', 'text')
      .addColumn('endpoint', 'text')
      .addColumn('pricing', 'text', (column) => column.notNull())
      .addColumn('context_window', 'integer')
      .addColumn('input_modalities', 'text', (column) => column.notNull().defaultTo('["text"]'))
      .addColumn('is_default', 'boolean', (column) => column.notNull())
      .addColumn('options', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('model_list').on('model').columns(['workspace_id', 'created_at', 'id']).execute()
    await db.schema.createIndex('model_name').on('model').columns(['workspace_id', 'model_id']).execute()
    await sql`create unique index model_default on model (workspace_id, type) where is_default`.execute(db)
    await watchConfiguration(db, 'model')
  },
}
