import { type Kysely, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const webhookMigration: DatedMigration = {
  name: '2026-11-17-05-webhooks',
  async up(db) {
    await createWebhooks(db)
    await createDeliveries(db)
  },
}

async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('enabled', 'boolean', (column) => column.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('failing_since', 'text')
    .addColumn('secret_sealed', 'text', (column) => column.notNull())
    .addColumn('previous_secrets', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('webhook_list').on('webhook').columns(['workspace_id', 'created_at', 'id']).execute()
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('webhook_id', 'text', (column) => column.notNull().references('webhook.id').onDelete('cascade'))
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('round_began_at', 'integer', (column) => column.notNull())
    .addColumn('manual', 'boolean', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .addColumn('claimed_by', 'text')
    .addColumn('next_attempt_at', 'text')
    .addColumn('last_attempt_at', 'text')
    .addColumn('delivered_at', 'text')
    .addColumn('request_body', 'text', (column) => column.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('response_body', 'text')
    .addColumn('error', 'text')
    .addColumn('latency_ms', 'integer')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('webhook_delivery_list')
    .on('webhook_delivery')
    .columns(['workspace_id', 'webhook_id', 'created_at', 'id'])
    .execute()
  await sql`create index webhook_delivery_due on webhook_delivery (webhook_id, due_at) where status = 'pending'`.execute(
    db,
  )
  // Claims of a process that has ended are released at once.
  await sql`create index webhook_delivery_claimed on webhook_delivery (claimed_by) where status = 'pending' and claimed_until is not null`.execute(
    db,
  )
}
