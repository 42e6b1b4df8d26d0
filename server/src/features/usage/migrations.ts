import type { Kysely } from 'kysely'
import { watchConfiguration } from '../../kernel/store/configuration.ts'
import { isPostgres } from '../../kernel/store/database.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { createCallsUnderWayTable } from './calls-under-way.ts'
import { addSavings, addUnpriced, createRollup } from './rollup.ts'

export const usageMigration: DatedMigration = {
  name: '2026-11-17-06-usage',
  async up(db) {
    await createLedger(db)
    await createRollup(db)
    await createThresholds(db)
    await createWindows(db)
    await createReservations(db)
    await createCallsUnderWayTable(db)
    await watchConfiguration(db, 'usage_threshold')
  },
}

export const cacheMigration: DatedMigration = {
  name: '2026-11-18-20-usage-cache',
  async up(db) {
    for (const name of ['cache_write_tokens', 'saved_nano'])
      await db.schema
        .alterTable('usage_record')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    await addSavings(db)
  },
}

export const unpricedMigration: DatedMigration = { name: '2026-11-19-10-unpriced-calls', up: addUnpriced }

/**
 * Every turn writes to each index of the ledger, so it has only one, by day and conversation. No query finds a row by its
 * id; Postgres keeps the primary key for replication.
 */
async function createLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_record')
    .addColumn('id', 'text', (column) => (isPostgres(db) ? column.primaryKey() : column.notNull()))
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
  await db.schema
    .createIndex('usage_day')
    .on('usage_record')
    .columns(['workspace_id', 'day', 'conversation_id'])
    .execute()
}

async function createThresholds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_threshold')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('entity_type', 'text', (column) => column.notNull())
    .addColumn('entity_id', 'text')
    .addColumn('metric', 'text', (column) => column.notNull())
    .addColumn('limit', 'double precision', (column) => column.notNull())
    .addColumn('limit_units', 'bigint', (column) => column.notNull())
    .addColumn('window', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('usage_threshold_list')
    .on('usage_threshold')
    .columns(['workspace_id', 'created_at', 'id'])
    .execute()
}

async function createWindows(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_window')
    .addColumn('threshold_id', 'text', (column) => column.notNull())
    .addColumn('window_start', 'text', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('spent', 'bigint', (column) => column.notNull())
    .addColumn('reserved', 'bigint', (column) => column.notNull())
    .addColumn('exceeded_at', 'text')
    .addColumn('recount_at', 'bigint')
    .addPrimaryKeyConstraint('usage_window_key', ['threshold_id', 'window_start'])
    .execute()
}

async function createReservations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_reservation')
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('threshold_id', 'text', (column) => column.notNull())
    .addColumn('window_start', 'text', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('node', 'text', (column) => column.notNull())
    .addColumn('alive_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_reservation_key', ['holder', 'threshold_id'])
    .execute()
  await db.schema.createIndex('usage_reservation_alive').on('usage_reservation').columns(['alive_at']).execute()
}
