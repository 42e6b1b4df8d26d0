import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const usageMigration: DatedMigration = {
  name: '2026-11-15-07-usage',
  async up(db) {
    await db.schema
      .createTable('usage_record')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('model_id', 'text', (column) => column.notNull())
      .addColumn('agent_id', 'text')
      .addColumn('conversation_id', 'text')
      .addColumn('message_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('token_id', 'text', (column) => column.notNull())
      .addColumn('tool_id', 'text')
      .addColumn('evaluation_id', 'text')
      .addColumn('input_tokens', 'bigint', (column) => column.notNull())
      .addColumn('cached_input_tokens', 'bigint', (column) => column.notNull())
      .addColumn('output_tokens', 'bigint', (column) => column.notNull())
      .addColumn('reasoning_tokens', 'bigint', (column) => column.notNull())
      .addColumn('cost_nano', 'bigint', (column) => column.notNull())
      .addColumn('price', 'text', (column) => column.notNull())
      .addColumn('estimated', 'boolean', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('usage_day').on('usage_record').columns(['workspace_id', 'day']).execute()
  },
}
