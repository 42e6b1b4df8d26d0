import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const mcpNameMigration: DatedMigration = {
  name: '2026-11-17-18-mcp-server',
  async up(db) {
    await db.schema
      .createTable('mcp_name')
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('mcp_name_key', ['workspace_id', 'name'])
      .execute()
  },
}
