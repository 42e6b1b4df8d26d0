import { type Kysely, sql } from 'kysely'
import { type Db, isPostgres } from '../../../kernel/store/database.ts'
import type { DatedMigration } from '../../../kernel/store/migrate.ts'

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db)

/**
 * The words of messages. A trigger puts new messages into a queue, which costs a turn little; a job indexes them. Deleting a
 * message deletes its words.
 */
export const messageSearchMigration: DatedMigration = {
  name: '2026-11-16-97-message-search',
  async up(db) {
    await run(
      db,
      'create table message_unindexed (id text primary key not null references message (id) on delete cascade)',
    )
    if (isPostgres(db as Db)) await onPostgres(db)
    else await onSqlite(db)
    for (const index of [
      'message_rating on message (workspace_id, rating, conversation_id) where rating is not null',
      "message_failed on message (workspace_id, conversation_id) where status = 'failed'",
      'message_cost on message (workspace_id, conversation_id, cost_nano) where cost_nano > 0',
    ])
      await run(db, `create index ${index}`)
  },
}

async function onPostgres(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    `create table message_words (
      message_id text primary key references message (id) on delete cascade,
      conversation_id text not null,
      words tsvector not null)`,
  )
  await run(db, 'create index message_words_index on message_words using gin (words)')
  await run(db, 'create index message_words_conversation on message_words (conversation_id)')
  await run(
    db,
    `create function message_queue() returns trigger language plpgsql as $$
      begin insert into message_unindexed (id) values (new.id); return null; end $$`,
  )
  await run(db, 'create trigger message_queued after insert on message for each row execute function message_queue()')
}

/** The full-text index knows messages by number, and stores no text. */
async function onSqlite(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    `create table message_words_index_row (
      number integer primary key,
      message_id text not null unique references message (id) on delete cascade,
      conversation_id text not null)`,
  )
  await run(db, 'create index message_words_conversation on message_words_index_row (conversation_id)')
  await run(
    db,
    `create virtual table message_words_index using fts5 (
      words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'")`,
  )
  await run(
    db,
    `create trigger message_words_removed after delete on message_words_index_row
      begin delete from message_words_index where rowid = old.number; end`,
  )
  await run(
    db,
    `create trigger message_queued after insert on message
      begin insert into message_unindexed (id) values (new.id); end`,
  )
}
