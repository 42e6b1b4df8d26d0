import { type Kysely, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { replyLabel } from '../conversations/scored-replies.ts'

export const monitorMigration: DatedMigration = {
  name: '2026-11-18-32-monitors',
  async up(db) {
    await createMonitors(db)
    await createReplies(db)
    await createScores(db)
  },
}

async function createMonitors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('monitor')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('scorers', 'text', (column) => column.notNull())
    .addColumn('sample_rate', 'double precision', (column) => column.notNull())
    .addColumn('review_rate', 'double precision', (column) => column.notNull())
    .addColumn('daily_budget', 'double precision', (column) => column.notNull())
    .addColumn('alert', 'text', (column) => column.notNull())
    .addColumn('alerting', 'text', (column) => column.notNull())
    .addColumn('looked_until', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('monitor_list').on('monitor').columns(['workspace_id', 'created_at', 'id']).execute()
}

/** The replies in the sample of a monitor: each is scored once. */
async function createReplies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('monitor_reply')
    .addColumn('monitor_id', 'text', (column) => column.notNull().references('monitor.id').onDelete('cascade'))
    .addColumn('message_id', 'text', (column) => column.notNull().references('message.id').onDelete('cascade'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('replied_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('monitor_reply_key', ['monitor_id', 'message_id'])
    .execute()
  await db.schema.createIndex('monitor_reply_message').on('monitor_reply').columns(['message_id']).execute()
  await db.schema
    .createIndex('monitor_reply_time')
    .on('monitor_reply')
    .columns(['workspace_id', 'monitor_id', 'replied_at'])
    .execute()
  await sql`create index monitor_reply_waiting on monitor_reply (message_id) where state = 'waiting'`.execute(db)
}

async function createScores(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('monitor_score')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('monitor_id', 'text', (column) => column.notNull().references('monitor.id').onDelete('cascade'))
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('agent_version', 'integer')
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull().references('message.id').onDelete('cascade'))
    .addColumn('scorer', 'text', (column) => column.notNull())
    .addColumn('score', 'double precision', (column) => column.notNull())
    .addColumn('passed', 'boolean', (column) => column.notNull())
    .addColumn('replied_at', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('monitor_score_of_reply')
    .unique()
    .on('monitor_score')
    .columns(['monitor_id', 'scorer', 'message_id'])
    .execute()
  await db.schema.createIndex('monitor_score_message').on('monitor_score').columns(['message_id']).execute()
  await db.schema
    .createIndex('monitor_score_time')
    .on('monitor_score')
    .columns(['workspace_id', 'monitor_id', 'replied_at'])
    .execute()
  await db.schema
    .createIndex('monitor_score_agent')
    .on('monitor_score')
    .columns(['workspace_id', 'agent_id', 'scorer', 'replied_at'])
    .execute()
}

/** The label that chose the version of a scored reply. */
export const scoreLabelMigration: DatedMigration = {
  name: '2026-11-19-20-score-labels',
  async up(db) {
    await db.schema.alterTable('monitor_score').addColumn('label', 'text').execute()
    await sql`update monitor_score set label = ${replyLabel(sql.ref('monitor_score.message_id'))}`.execute(db)
  },
}
