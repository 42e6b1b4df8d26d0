import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const runMigration: DatedMigration = {
  name: '2026-11-17-14-runs',
  async up(db) {
    await db.schema
      .createTable('waiting_run')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('agent_id', 'text', (column) => column.notNull())
      .addColumn('conversation_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .execute()
    await db.schema.createIndex('waiting_run_conversation').on('waiting_run').columns(['conversation_id']).execute()
    await db.schema.createIndex('waiting_run_person').on('waiting_run').columns(['workspace_id', 'user_id']).execute()
    await db.schema.createIndex('waiting_run_expiry').on('waiting_run').columns(['expires_at']).execute()
  },
}
