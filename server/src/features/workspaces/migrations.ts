import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const workspaceMigration: DatedMigration = {
  name: '2026-11-17-01-workspaces',
  async up(db) {
    await db.schema
      .createTable('workspace')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('workspace_name').on('workspace').column('name').execute()
  },
}
