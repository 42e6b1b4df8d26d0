import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../kernel/store/database.ts'

/**
 * Analytics cache the messages of a day as columns (`kernel/statistics`). Each day has a stamp, which changes with every
 * change of its messages, so that the cache knows which days to reload.
 */
export async function createMessageDays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('message_day')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('shard', 'integer', (column) => column.notNull())
    .addColumn('stamp', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('message_day_key', ['workspace_id', 'day', 'shard'])
    .modifyEnd(isPostgres(db) ? sql`` : sql`without rowid`)
    .execute()
  for (const [name, event] of Object.entries(events)) await createTrigger(db, name, event)
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

/** Triggers stamp the day for every change that statistics can see, so that no other code has to. */
const events = {
  message_inserted: 'after insert on message',
  message_changed: `after update of ${messageColumns} on message`,
  message_removed: 'after delete on message',
  message_tool_call_inserted: 'after insert on message_tool_call',
  message_tool_call_changed: 'after update on message_tool_call',
  message_tool_call_removed: 'after delete on message_tool_call',
  conversation_inserted: 'after insert on conversation',
  conversation_changed: `after update of ${conversationColumns} on conversation`,
  conversation_removed: 'after delete on conversation',
}

async function createTrigger(db: Kysely<unknown>, name: string, event: string): Promise<void> {
  const onPostgres = isPostgres(db)
  // A day has several rows on Postgres, because transactions that update the same row wait for each other.
  const shard = onPostgres ? 'pg_backend_pid() % 64' : '0'
  // It is random, so that a stamp is also new after an older backup was restored.
  const stamp = onPostgres ? '(random() * 9007199254740991)::bigint' : 'abs(random() % 9007199254740991)'
  const row = event.startsWith('after delete') ? 'old' : 'new'
  // The deletion of a workspace cascades to its messages; by then it can have no stamps.
  const exists = row === 'old' ? 'exists (select 1 from workspace where id = old.workspace_id)' : 'true'
  const time = event.endsWith('on conversation') ? 'created_at' : 'timestamp'
  const update = `
    insert into message_day
    select ${row}.workspace_id, substr(${row}.${time}, 1, 10), ${shard}, ${stamp} where ${exists}
    on conflict (workspace_id, day, shard) do update set stamp = excluded.stamp;`
  if (onPostgres) {
    const body = `begin ${update} return null; end`
    await sql.raw(`create function ${name}() returns trigger language plpgsql as $$ ${body} $$`).execute(db)
    await sql.raw(`create trigger ${name} ${event} for each row execute function ${name}()`).execute(db)
  } else await sql.raw(`create trigger ${name} ${event} begin ${update} end`).execute(db)
}
