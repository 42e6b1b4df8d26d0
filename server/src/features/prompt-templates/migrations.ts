import { watchConfiguration } from '../../kernel/store/configuration.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

/** The labels of versions. */
export const templateLabelMigration: DatedMigration = {
  name: '2026-11-18-25-prompt-template-labels',
  async up(db) {
    await db.schema
      .alterTable('prompt_template')
      .addColumn('labels', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
  },
}

export const promptTemplateMigration: DatedMigration = {
  name: '2026-11-17-12-prompt-templates',
  async up(db) {
    await db.schema
      .createTable('prompt_template')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('template', 'text', (column) => column.notNull())
      .addColumn('variables', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('prompt_template_list')
      .on('prompt_template')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute()
    await watchConfiguration(db, 'prompt_template')
  },
}
