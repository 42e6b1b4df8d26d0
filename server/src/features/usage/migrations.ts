import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const usageMigration: DatedMigration = {
  name: '2026-11-15-07-usage',
  async up(db) {
    await ledgerTable(db, 'usage_record', true).execute()
    await db.schema.createIndex('usage_day').on('usage_record').columns(['workspace_id', 'day']).execute()
  },
}

function ledgerTable(db: Kysely<unknown>, name: string, hasKey: boolean) {
  return db.schema
    .createTable(name)
    .addColumn('id', 'text', (column) => (hasKey ? column.primaryKey() : column.notNull()))
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
}

export const rollupMigration: DatedMigration = {
  name: '2026-11-15-70-usage-rollup',
  async up(db) {
    const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    let table: CreateTableBuilder<string, string> = db.schema
      .createTable('usage_rollup')
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    for (const name of ['entity_type', 'period', 'entity_id', 'model_id'])
      table = table.addColumn(name, 'text', (column) => column.notNull())
    table = table.addColumn('shard', 'integer', (column) => column.notNull())
    for (const name of ['requests', 'input_tokens', 'output_tokens', 'cost_nano'])
      table = table.addColumn(name, 'bigint', (column) => column.notNull())
    table = table.addPrimaryKeyConstraint('usage_rollup_key', [...rollupKey])
    await (onPostgres ? table : table.modifyEnd(sql`without rowid`)).execute()
    await backfill(db)
    await keepSums(db, onPostgres)
    for (const entity of ['conversation', 'agent', 'user', 'tool', 'evaluation']) {
      const column = sql.ref(`${entity}_id`)
      const name = sql.ref(`usage_${entity}`)
      await sql`create index ${name} on usage_record (workspace_id, ${column}) where ${column} is not null`.execute(db)
    }
  },
}

const rollupKey = ['workspace_id', 'entity_type', 'period', 'entity_id', 'model_id', 'shard'] as const
const entities = {
  workspace: `''`,
  agent: 'agent_id',
  user: 'user_id',
  token: 'token_id',
  tool: 'tool_id',
  evaluation: 'evaluation_id',
}
const periods = [`'d' || day`, `'m' || substr(day, 1, 7)`]

/** Sums the existing ledger rows. */
async function backfill(db: Kysely<unknown>): Promise<void> {
  for (const [type, column] of Object.entries(entities)) {
    for (const period of periods) {
      await sql
        .raw(`
          insert into usage_rollup
          select workspace_id, '${type}', ${period}, ${column}, model_id, 0,
            count(*), sum(input_tokens), sum(output_tokens), sum(cost_nano)
          from usage_record
          where ${column} is not null
          group by 1, 3, 4, 5`)
        .execute(db)
    }
  }
}

/** A trigger adds every ledger row to its sums. */
async function keepSums(db: Kysely<unknown>, onPostgres: boolean, model = 'new.model_id'): Promise<void> {
  const ofNew = (expression: string) => expression.replace(/\b(day|\w+_id)\b/g, 'new.$1')
  const sums = ['requests', 'input_tokens', 'output_tokens', 'cost_nano']
  const add = `
    insert into usage_rollup
    select new.workspace_id, entity.type, span.period, entity.id, ${model}, ${onPostgres ? 'pg_backend_pid() % 16' : '0'},
      1, new.input_tokens, new.output_tokens, new.cost_nano
    from (${periods.map((period) => `select ${ofNew(period)} as period`).join(' union all ')}) as span,
      (${Object.entries(entities)
        .map(([type, column]) => `select '${type}' as type, ${ofNew(column)} as id`)
        .join(' union all ')}) as entity
    where entity.id is not null
    on conflict (${rollupKey}) do update set ${sums.map((name) => `${name} = usage_rollup.${name} + excluded.${name}`)};`
  if (!onPostgres) {
    await sql.raw(`create trigger usage_sums after insert on usage_record begin ${add} end`).execute(db)
    return
  }
  await sql
    .raw(
      `create or replace function usage_sums() returns trigger language plpgsql as $$ begin ${add} return null; end $$`,
    )
    .execute(db)
  await sql
    .raw('create or replace trigger usage_sums after insert on usage_record for each row execute function usage_sums()')
    .execute(db)
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

/** Statistics with a filter read the ledger dataset, not an index. */
export const ledgerIndexMigration: DatedMigration = {
  name: '2026-11-15-80-usage-indexes',
  async up(db) {
    for (const entity of ['agent', 'user', 'tool', 'evaluation'])
      await db.schema.dropIndex(`usage_${entity}`).ifExists().execute()
  },
}

/** No query needs the sums of agents, users, tokens, tools and evaluations by model. */
export const rollupOfAllModelsMigration: DatedMigration = {
  name: '2026-11-15-82-usage-rollup-of-all-models',
  async up(db) {
    const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    if (!onPostgres) await sql`drop trigger usage_sums`.execute(db)
    await sql`
      insert into usage_rollup
      select workspace_id, entity_type, period, entity_id, '', shard,
        sum(requests), sum(input_tokens), sum(output_tokens), sum(cost_nano)
      from usage_rollup
      where entity_type <> 'workspace'
      group by workspace_id, entity_type, period, entity_id, shard`.execute(db)
    await sql`delete from usage_rollup where entity_type <> 'workspace' and model_id <> ''`.execute(db)
    await keepSums(db, onPostgres, modelOfWorkspaces)
  },
}

const modelOfWorkspaces = `case when entity.type = 'workspace' then new.model_id else '' end`

/**
 * Every turn writes to each index of the ledger, so it has only one, by day and conversation. No query finds a row by its
 * id; Postgres keeps the primary key for replication.
 */
export const oneLedgerIndexMigration: DatedMigration = {
  name: '2026-11-15-85-usage-one-index',
  async up(db) {
    if (db.getExecutor().adapter instanceof PostgresAdapter) {
      for (const index of ['usage_day', 'usage_conversation']) await db.schema.dropIndex(index).execute()
    } else {
      await ledgerTable(db, 'usage_record_kept', false).execute()
      await sql`insert into usage_record_kept select * from usage_record order by rowid`.execute(db)
      await db.schema.dropTable('usage_record').execute()
      await db.schema.alterTable('usage_record_kept').renameTo('usage_record').execute()
      await keepSums(db, false, modelOfWorkspaces)
    }
    await db.schema
      .createIndex('usage_day')
      .on('usage_record')
      .columns(['workspace_id', 'day', 'conversation_id'])
      .execute()
  },
}
