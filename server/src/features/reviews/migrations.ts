import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const reviewMigration: DatedMigration = {
  name: '2026-11-18-31-reviews',
  async up(db) {
    await db.schema
      .createTable('review')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('message_id', 'text', (column) =>
        column.notNull().unique().references('message.id').onDelete('cascade'),
      )
      .addColumn('conversation_id', 'text', (column) => column.notNull())
      .addColumn('agent_id', 'text')
      .addColumn('agent_version', 'integer')
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('assigned_to', 'text')
      .addColumn('verdict', 'text')
      .addColumn('expected_output', 'text')
      .addColumn('comment', 'text')
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('evaluation_id', 'text')
      .addColumn('reviewed_by', 'text')
      .addColumn('reviewed_at', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('review_list').on('review').columns(['workspace_id', 'created_at', 'id']).execute()
    await db.schema
      .createIndex('review_queue')
      .on('review')
      .columns(['workspace_id', 'status', 'created_at', 'id'])
      .execute()
  },
}
