import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { rollupKey } from './rollup.ts'

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

export const rollupMigration: DatedMigration = {
  name: '2026-11-15-70-usage-rollup',
  async up(db) {
    let table: CreateTableBuilder<string, string> = db.schema
      .createTable('usage_rollup')
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    for (const name of ['period', 'model_id', 'agent_id', 'user_id', 'token_id', 'tool_id', 'evaluation_id'])
      table = table.addColumn(name, 'text', (column) => column.notNull())
    for (const name of ['in_conversation', 'shard'])
      table = table.addColumn(name, 'integer', (column) => column.notNull())
    for (const name of ['requests', 'input_tokens', 'output_tokens', 'cost_nano'])
      table = table.addColumn(name, 'bigint', (column) => column.notNull())
    table = table.addPrimaryKeyConstraint('usage_rollup_key', [...rollupKey])
    await (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)).execute()
    await backfillRollup(db)
    await db.schema
      .createIndex('usage_conversation')
      .on('usage_record')
      .columns(['workspace_id', 'conversation_id'])
      .execute()
  },
}

const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Sums up the ledger as it is. */
async function backfillRollup(db: Kysely<unknown>): Promise<void> {
  for (const period of [sql`'d' || day`, sql`'m' || substr(day, 1, 7)`]) {
    await sql`
      insert into usage_rollup
      select workspace_id, ${period}, model_id, coalesce(agent_id, ''), coalesce(user_id, ''), token_id,
        coalesce(tool_id, ''), coalesce(evaluation_id, ''), case when conversation_id is null then 0 else 1 end, 0,
        count(*), sum(input_tokens), sum(output_tokens), sum(cost_nano)
      from usage_record
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9`.execute(db)
  }
}

export const thresholdMigration: DatedMigration = {
  name: '2026-11-15-71-usage-thresholds',
  async up(db) {
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
  },
}
