import type { DatedMigration } from '../../kernel/store/migrate.ts'

/** The versions that the labels of the variants named when the experiment started. */
export const experimentVersionsMigration: DatedMigration = {
  name: '2026-11-19-04-experiment-versions',
  async up(db) {
    await db.schema.alterTable('experiment').addColumn('versions', 'text').execute()
  },
}

export const experimentMigration: DatedMigration = {
  name: '2026-11-18-27-experiments',
  async up(db) {
    await db.schema
      .createTable('experiment')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('agent_id', 'text', (column) => column.notNull())
      .addColumn('variants', 'text', (column) => column.notNull())
      .addColumn('metric', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('started_at', 'text')
      .addColumn('stopped_at', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('experiment_list')
      .on('experiment')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute()
  },
}
