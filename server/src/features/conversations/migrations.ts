import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

/** Marks conversations of evaluations, so that statistics can leave them out. */
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

/** What a turn did, for its trace. Replies of older versions have none. */
export const stepsMigration: DatedMigration = {
  name: '2026-11-16-95-message-steps',
  async up(db) {
    await db.schema.alterTable('message').addColumn('steps', 'text').execute()
  },
}

/** Only turns that run are looked for by their status; those that end at once are never in the index. */
export const runningMessageMigration: DatedMigration = {
  name: '2026-11-15-84-running-messages',
  async up(db) {
    await sql`create index message_running on message (id) where status = 'running'`.execute(db)
    await db.schema.dropIndex('message_status').execute()
  },
}

/** What the analytics read, so that they need not look into JSON nor into the texts. */
export const figuresMigration: DatedMigration = {
  name: '2026-11-15-72-message-figures',
  async up(db) {
    for (const name of ['user_id', 'evaluation_id', 'rating', 'topic'])
      await db.schema.alterTable('message').addColumn(name, 'text').execute()
    for (const name of ['input_tokens', 'output_tokens', 'cost_nano'])
      await db.schema.alterTable('message').addColumn(name, 'bigint').execute()
    await fillFigures(db, db.getExecutor().adapter instanceof PostgresAdapter)
    await db.schema
      .createIndex('message_figures')
      .on('message')
      .columns([
        'workspace_id',
        'timestamp',
        'role',
        'status',
        'superseded',
        'agent_id',
        'user_id',
        'evaluation_id',
        'conversation_id',
        'latency_ms',
        'time_to_first_token_ms',
        'input_tokens',
        'output_tokens',
        'cost_nano',
        'rating',
        'topic',
      ])
      .execute()
    await sql`create index message_without_topic on message (agent_id, id) where role = 'user' and topic is null`.execute(
      db,
    )
    await db.schema
      .createTable('message_tool_call')
      .addColumn('message_id', 'text', (column) => column.notNull().references('message.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('timestamp', 'text', (column) => column.notNull())
      .addColumn('agent_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('evaluation_id', 'text')
      .addColumn('tool_id', 'text')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('failed', 'boolean', (column) => column.notNull())
      .addColumn('latency_ms', 'integer')
      .addPrimaryKeyConstraint('message_tool_call_key', ['message_id', 'position'])
      .execute()
    await db.schema
      .createIndex('message_tool_call_time')
      .on('message_tool_call')
      .columns([
        'workspace_id',
        'timestamp',
        'agent_id',
        'user_id',
        'evaluation_id',
        'tool_id',
        'name',
        'failed',
        'latency_ms',
      ])
      .execute()
  },
}

/** From what older versions stored. */
async function fillFigures(db: Kysely<unknown>, onPostgres: boolean): Promise<void> {
  const value = (column: string, name: string) =>
    sql.raw(onPostgres ? `(${column}::json ->> '${name}')` : `json_extract(${column}, '$.${name}')`)
  await sql`
    update message set
      user_id = (select user_id from conversation where conversation.id = message.conversation_id),
      agent_id = (select agent_id from conversation where conversation.id = message.conversation_id),
      evaluation_id = (select evaluation_id from conversation where conversation.id = message.conversation_id),
      input_tokens = cast(${value('usage', 'input_tokens')} as bigint),
      output_tokens = cast(${value('usage', 'output_tokens')} as bigint),
      cost_nano = cast(round(cast(${value('usage', 'cost')} as numeric) * 1000000000) as bigint),
      rating = ${value('feedback', 'rating')}`.execute(db)
}

/** Replies that are JSON of a schema. */
export const outputMigration: DatedMigration = {
  name: '2026-11-17-14-message-output',
  async up(db) {
    for (const name of ['output', 'details', 'response_format'])
      await db.schema
        .alterTable('message')
        .addColumn(name, 'text', (column) => column.notNull().defaultTo('null'))
        .execute()
  },
}
