import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

/**
 * Analytics cache the messages of a day as columns (`kernel/statistics`). Each day has a stamp, which changes with every
 * change of its messages, so that the cache knows which days to reload.
 */
export const messageDayMigration: DatedMigration = {
  name: '2026-11-15-81-message-days',
  async up(db) {
    const onPostgres = isPostgres(db)
    await db.schema
      .createTable('message_day')
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('shard', 'integer', (column) => column.notNull())
      .addColumn('stamp', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('message_day_key', ['workspace_id', 'day', 'shard'])
      .modifyEnd(onPostgres ? sql`` : sql`without rowid`)
      .execute()
    await stampEveryDay(db)
    await createTriggers(db, 'pg_backend_pid()', {
      message_changed: 'after update of superseded, rating, topic, agent_id, user_id, evaluation_id on message',
      message_removed: 'after delete on message',
    })
    for (const table of ['message', 'message_tool_call'])
      await sql.raw(`create index ${table}_moment on ${table} (workspace_id, timestamp)`).execute(db)
    for (const index of ['message_figures', 'message_tool_call_time']) await db.schema.dropIndex(index).execute()
    await db.schema
      .createIndex('conversation_figures')
      .on('conversation')
      .columns(['workspace_id', 'created_at', 'agent_id', 'status', 'user_id', 'evaluation_id'])
      .execute()
  },
}

/** Triggers stamp the day for every change that statistics can see, so that no other code has to. */
export const messageDayTriggerMigration: DatedMigration = {
  name: '2026-11-16-10-message-day-triggers',
  async up(db) {
    for (const name of ['message_changed', 'message_removed'])
      await sql.raw(isPostgres(db) ? `drop function ${name} cascade` : `drop trigger ${name}`).execute(db)
    // Older versions stamped one row per Postgres connection, without a bound, and no days of conversations.
    await sql`delete from message_day`.execute(db)
    await stampEveryDay(db, 'select workspace_id, created_at from conversation')
    await createTriggers(db, 'pg_backend_pid() % 64', {
      message_inserted: 'after insert on message',
      message_changed: `after update of ${messageColumns} on message`,
      message_removed: 'after delete on message',
      message_tool_call_inserted: 'after insert on message_tool_call',
      message_tool_call_changed: 'after update on message_tool_call',
      message_tool_call_removed: 'after delete on message_tool_call',
      conversation_inserted: 'after insert on conversation',
      conversation_changed: `after update of ${conversationColumns} on conversation`,
      conversation_removed: 'after delete on conversation',
    })
    await db.schema.dropIndex('conversation_figures').execute()
  },
}

/** The columns that statistics read. A turn sets none of the conversation's. */
const conversationColumns = 'workspace_id, created_at, agent_id, user_id, evaluation_id, status'
const messageColumns = [
  'workspace_id',
  'timestamp',
  'conversation_id',
  'agent_id',
  'user_id',
  'evaluation_id',
  'role',
  'status',
  'superseded',
  'latency_ms',
  'time_to_first_token_ms',
  'input_tokens',
  'output_tokens',
  'cost_nano',
  'rating',
  'topic',
].join(', ')

const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Random, so that a stamp is also new after an older backup was restored. */
const newStamp = (db: Kysely<unknown>): string =>
  isPostgres(db) ? '(random() * 9007199254740991)::bigint' : 'abs(random() % 9007199254740991)'

const stampEveryDay = (db: Kysely<unknown>, more?: string) =>
  sql
    .raw(
      `insert into message_day
      select workspace_id, substr(timestamp, 1, 10), 0, ${newStamp(db)}
      from (select workspace_id, timestamp from message ${more ? `union all ${more}` : ''}) as moments group by 1, 2`,
    )
    .execute(db)

/** On Postgres a day has a row per shard, because transactions that update the same row wait for each other. */
async function createTriggers(
  db: Kysely<unknown>,
  postgresShard: string,
  events: Record<string, string>,
): Promise<void> {
  const onPostgres = isPostgres(db)
  const shard = onPostgres ? postgresShard : '0'
  for (const [name, event] of Object.entries(events)) {
    const row = event.startsWith('after delete') ? 'old' : 'new'
    // The deletion of a workspace cascades to its messages; by then it can have no stamps.
    const exists = row === 'old' ? 'exists (select 1 from workspace where id = old.workspace_id)' : 'true'
    const time = event.endsWith('on conversation') ? 'created_at' : 'timestamp'
    const stamp = `
      insert into message_day
      select ${row}.workspace_id, substr(${row}.${time}, 1, 10), ${shard}, ${newStamp(db)} where ${exists}
      on conflict (workspace_id, day, shard) do update set stamp = excluded.stamp;`
    if (onPostgres) {
      const body = `begin ${stamp} return null; end`
      await sql.raw(`create function ${name}() returns trigger language plpgsql as $$ ${body} $$`).execute(db)
      await sql.raw(`create trigger ${name} ${event} for each row execute function ${name}()`).execute(db)
    } else await sql.raw(`create trigger ${name} ${event} begin ${stamp} end`).execute(db)
  }
}
