import type { DatedMigration } from '../../kernel/store/migrate.ts'

/** Conversations that an evaluation holds with an agent are told apart from those of people. */
export const evaluationMarkMigration: DatedMigration = {
  name: '2026-11-15-65-conversation-evaluation',
  async up(db) {
    await db.schema.alterTable('conversation').addColumn('evaluation_id', 'text').execute()
  },
}

export const conversationMigration: DatedMigration = {
  name: '2026-11-15-08-conversations',
  async up(db) {
    await db.schema
      .createTable('conversation')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('agent_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('title', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('running_message_id', 'text')
      .addColumn('last_message_id', 'text')
      .addColumn('active_at', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('conversation_list')
      .on('conversation')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute()
    await db.schema.createIndex('conversation_idle').on('conversation').columns(['status', 'active_at']).execute()
    await db.schema
      .createTable('message')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('conversation_id', 'text', (column) =>
        column.notNull().references('conversation.id').onDelete('cascade'),
      )
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('timestamp', 'text', (column) => column.notNull())
      .addColumn('usage', 'text', (column) => column.notNull())
      .addColumn('tool_calls', 'text', (column) => column.notNull())
      .addColumn('citations', 'text', (column) => column.notNull())
      .addColumn('model_id', 'text')
      .addColumn('agent_id', 'text')
      .addColumn('agent_version', 'integer')
      .addColumn('finish_reason', 'text')
      .addColumn('latency_ms', 'integer')
      .addColumn('time_to_first_token_ms', 'integer')
      .addColumn('feedback', 'text', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('code', 'text')
      .addColumn('events', 'text', (column) => column.notNull())
      .addColumn('superseded', 'boolean', (column) => column.notNull())
      .addColumn('cancel_requested', 'boolean', (column) => column.notNull())
      .addColumn('alive_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('message_conversation')
      .on('message')
      .columns(['workspace_id', 'conversation_id', 'id'])
      .execute()
    await db.schema.createIndex('message_status').on('message').columns(['status', 'alive_at']).execute()
  },
}
