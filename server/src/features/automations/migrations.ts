import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const automationMigration: DatedMigration = {
  name: '2026-11-18-02-automations',
  async up(db) {
    await createSchedules(db)
    await createTriggers(db)
    await createRuns(db)
  },
}

/** How many calls of a run had no known price. */
export const unpricedRunsMigration: DatedMigration = {
  name: '2026-11-19-20-unpriced-runs',
  async up(db) {
    await db.schema
      .alterTable('automation_run')
      .addColumn('unpriced_requests', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}

const resource = (table: CreateTableBuilder<string>) =>
  table
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())

/** The person that runs act as. */
const owned = (table: CreateTableBuilder<string>) =>
  resource(table)
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('enabled', 'boolean', (column) => column.notNull())
    .addColumn('actor_role', 'text', (column) => column.notNull())
    .addColumn('actor_token', 'text', (column) => column.notNull())
    .addColumn('actor_user', 'text')

async function createSchedules(db: Kysely<unknown>): Promise<void> {
  await owned(db.schema.createTable('schedule'))
    .addColumn('cron', 'text')
    .addColumn('at', 'text')
    .addColumn('timezone', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('overlap', 'text', (column) => column.notNull())
    .addColumn('catch_up', 'text', (column) => column.notNull())
    .addColumn('approved_tools', 'text', (column) => column.notNull())
    .addColumn('grants', 'text', (column) => column.notNull())
    .addColumn('next_run_at', 'text')
    .addColumn('disabled_reason', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('schedule_list').on('schedule').columns(['workspace_id', 'created_at', 'id']).execute()
  await sql`create index schedule_due on schedule (next_run_at) where next_run_at is not null`.execute(db)
}

async function createTriggers(db: Kysely<unknown>): Promise<void> {
  await owned(db.schema.createTable('trigger'))
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('template', 'text', (column) => column.notNull())
    .addColumn('conversation_key', 'text')
    .addColumn('secret_sealed', 'text', (column) => column.notNull())
    .addColumn('previous_secrets', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('trigger_list').on('trigger').columns(['workspace_id', 'created_at', 'id']).execute()
  await db.schema
    .createTable('trigger_conversation')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('trigger_id', 'text', (column) => column.notNull().references('trigger.id').onDelete('cascade'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('trigger_conversation_key', ['workspace_id', 'trigger_id', 'key'])
    .execute()
}

/** Runs of schedules and of triggers. */
async function createRuns(db: Kysely<unknown>): Promise<void> {
  await resource(db.schema.createTable('automation_run'))
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('scheduled_for', 'text')
    .addColumn('event_id', 'text')
    .addColumn('lane', 'text', (column) => column.notNull())
    .addColumn('input', 'text')
    .addColumn('body', 'text')
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('code', 'text')
    .addColumn('error', 'text')
    .addColumn('conversation_id', 'text')
    .addColumn('message_id', 'text')
    .addColumn('sync_id', 'text')
    .addColumn('evaluation_run_id', 'text')
    .addColumn('cost_nano', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('automation_run_list')
    .on('automation_run')
    .columns(['workspace_id', 'owner_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('automation_run_due')
    .unique()
    .on('automation_run')
    .columns(['owner_id', 'scheduled_for'])
    .execute()
  await db.schema
    .createIndex('automation_run_event')
    .unique()
    .on('automation_run')
    .columns(['owner_id', 'event_id'])
    .execute()
  const active = sql`status in ('queued', 'running', 'awaiting_approval')`
  await sql`create index automation_run_active on automation_run (lane, id) where ${active}`.execute(db)
  for (const column of ['message_id', 'sync_id', 'evaluation_run_id'])
    await sql`create index ${sql.ref(`automation_run_${column}`)} on automation_run (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(
      db,
    )
}
