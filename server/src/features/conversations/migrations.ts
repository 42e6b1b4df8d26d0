import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { createTrigger, dropTrigger } from '../../kernel/store/trigger.ts'
import { forgetSource } from '../memories/sources.ts'
import { createApprovalTable } from './approvals/table.ts'
import { createFileTables } from './files/tables.ts'
import { countedFields, createListIndexes } from './lists.ts'
import { createMessageSearch } from './search/tables.ts'
import { createStatistics, sumByVersion, sumWithoutChildren } from './statistics/rollups.ts'
import { createJournalTable } from './streaming/journal.ts'

export const conversationMigration: DatedMigration = {
  name: '2026-11-17-15-conversations',
  async up(db) {
    await createConversations(db)
    await createListIndexes(db)
    await createMessages(db)
    await createToolCalls(db)
    await createStatistics(db)
    await createMessageSearch(db)
    await createFileTables(db)
    await createApprovalTable(db)
    await createJournalTable(db)
  },
}

/** The sender of a message that the user of the conversation did not write. */
export const authorMigration: DatedMigration = {
  name: '2026-11-18-04-message-authors',
  async up(db) {
    for (const column of ['author_id', 'author_name'])
      await db.schema.alterTable('message').addColumn(column, 'text').execute()
    await sql
      .raw('create index message_author on message (workspace_id, author_id, id) where author_id is not null')
      .execute(db)
  },
}

/** The arguments that a call was made with, if its approver changed them. */
export const editMigration: DatedMigration = {
  name: '2026-11-18-05-edited-arguments',
  async up(db) {
    await db.schema.alterTable('approval').addColumn('edited_arguments', 'text').execute()
  },
}

/** The scores of monitors, and an index by which a job finds the replies that failed. */
export const scoreMigration: DatedMigration = {
  name: '2026-11-18-30-reply-scores',
  async up(db) {
    await db.schema.alterTable('message').addColumn('scores', 'text').execute()
    await sql.raw("create index message_failed_id on message (id) where status = 'failed'").execute(db)
  },
}

async function createConversations(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('evaluation_id', 'text')
    .addColumn('shared', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('variables', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
  await db.schema
    .createIndex('conversation_list')
    .on('conversation')
    .columns(['workspace_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('conversation_idle').on('conversation').columns(['status', 'active_at']).execute()
}

/**
 * Messages form a tree: `parent_id` is the message before, or the conversation for a first message. `superseded` marks those
 * outside of the active branch. The figures are columns, so that statistics read neither JSON nor texts.
 */
async function createMessages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('message')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', (column) =>
      column.notNull().references('conversation.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('timestamp', 'text', (column) => column.notNull())
    .addColumn('usage', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('tool_calls', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('citations', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('model_id', 'text')
    .addColumn('agent_id', 'text')
    .addColumn('agent_version', 'integer')
    .addColumn('finish_reason', 'text')
    .addColumn('latency_ms', 'integer')
    .addColumn('time_to_first_token_ms', 'integer')
    .addColumn('feedback', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('error', 'text')
    .addColumn('code', 'text')
    .addColumn('events', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('superseded', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('cancel_requested', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('alive_at', 'bigint', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('evaluation_id', 'text')
    .addColumn('rating', 'text')
    .addColumn('topic', 'text')
    .addColumn('input_tokens', 'bigint')
    .addColumn('output_tokens', 'bigint')
    .addColumn('cost_nano', 'bigint')
    .addColumn('node', 'text')
    .addColumn('steps', 'text')
    .addColumn('parent_id', 'text')
    .addColumn('attachments', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('output', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('details', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('response_format', 'text', (column) => column.notNull().defaultTo('null'))
    .execute()
  await db.schema
    .createIndex('message_conversation')
    .on('message')
    .columns(['workspace_id', 'conversation_id', 'id'])
    .execute()
  // Partial indexes cost nothing for the messages that are not in them.
  for (const index of [
    "message_running on message (id) where status = 'running'",
    `message_question on message (workspace_id, timestamp, conversation_id, user_id, agent_id, evaluation_id, topic)
      where role = 'user' and not superseded`,
    "message_without_topic on message (agent_id, id) where role = 'user' and topic is null",
    'message_superseded on message (conversation_id, parent_id, id) where superseded',
    'message_rating on message (workspace_id, rating, conversation_id) where rating is not null',
    "message_failed on message (workspace_id, conversation_id) where status = 'failed'",
    'message_cost on message (workspace_id, conversation_id, cost_nano) where cost_nano > 0',
  ])
    await sql.raw(`create index ${index}`).execute(db)
}

async function createToolCalls(db: Kysely<unknown>): Promise<void> {
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
}

/** Conversations of agents that are asked as tools, and the path of agents that led to an approval. */
export const childMigration: DatedMigration = {
  name: '2026-11-18-03-child-conversations',
  async up(db) {
    await db.schema.alterTable('conversation').addColumn('parent_message_id', 'text').execute()
    const list = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('[]')
    await db.schema.alterTable('conversation').addColumn('callers', 'text', list).execute()
    await db.schema.alterTable('approval').addColumn('agent_path', 'text', list).execute()
    await sql`create index conversation_parent on conversation (workspace_id, parent_message_id, created_at, id)
      where parent_message_id is not null`.execute(db)
    // Lists leave these conversations out, and count by this index alone.
    await db.schema.dropIndex('conversation_count').execute()
    await db.schema
      .createIndex('conversation_count')
      .on('conversation')
      .columns(['workspace_id', ...countedFields, 'parent_message_id'])
      .execute()
  },
}

export const memoryMigration: DatedMigration = {
  name: '2026-11-18-23-conversation-memory',
  async up(db) {
    const json = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('null')
    const conversation = () => db.schema.alterTable('conversation')
    await conversation()
      .addColumn('memory', 'boolean', (column) => column.notNull().defaultTo(true))
      .execute()
    await conversation().addColumn('summary', 'text', json).execute()
    await conversation().addColumn('memory_read_at', 'bigint').execute()
    await conversation().addColumn('memory_read_id', 'text').execute()
    await db.schema.alterTable('message').addColumn('memories', 'text', json).execute()
  },
}

/** The version that a conversation is bound to, and the label that chose the version of a reply. */
export const boundVersionMigration: DatedMigration = {
  name: '2026-11-18-26-bound-versions',
  async up(db) {
    const columns = { label: 'text', version_agent_id: 'text', agent_version: 'integer' } as const
    for (const [name, type] of Object.entries({ ...columns, experiment_id: 'text', variant: 'integer' } as const))
      await db.schema.alterTable('conversation').addColumn(name, type).execute()
    await db.schema.alterTable('message').addColumn('label', 'text').execute()
    await sql`create index conversation_experiment on conversation (workspace_id, experiment_id, variant)
      where experiment_id is not null`.execute(db)
    await sumByVersion(db)
  },
}

/** Statistics leave out what agents ask each other. */
export const askedByAgentMigration: DatedMigration = {
  name: '2026-11-19-01-asked-by-agent',
  async up(db) {
    await db.schema
      .alterTable('message')
      .addColumn('asked_by_agent', 'boolean', (column) => column.notNull().defaultTo(false))
      .execute()
    await sql`update message set asked_by_agent = true
      where conversation_id in (select id from conversation where parent_message_id is not null)`.execute(db)
    // It answers questions of analytics alone, without the rows.
    await db.schema.dropIndex('message_question').execute()
    await sql`create index message_question
      on message (workspace_id, timestamp, conversation_id, user_id, agent_id, evaluation_id, topic)
      where role = 'user' and not superseded and not asked_by_agent`.execute(db)
    await sumWithoutChildren(db)
  },
}

/** The facts of a message go with it, whatever deletes it. Their tables refer to messages, so they were created in between. */
export const memorySourceMigration: DatedMigration = {
  name: '2026-11-19-06-memory-sources',
  async up(db) {
    const name = 'memory_source_deleted'
    await dropTrigger(db, name, 'message') // memories created it before
    await createTrigger(db, name, 'before delete on message', forgetSource(db))
  },
}

/** A late page is found by these indexes alone, though lists leave out what agents ask each other. */
export const latePagesMigration: DatedMigration = {
  name: '2026-11-19-70-late-pages',
  async up(db) {
    for (const [name, column] of Object.entries({
      conversation_list: 'created_at',
      conversation_updated: 'updated_at',
    })) {
      await db.schema.dropIndex(name).execute()
      await db.schema
        .createIndex(name)
        .on('conversation')
        .columns(['workspace_id', column, 'id', 'parent_message_id'])
        .execute()
    }
  },
}
