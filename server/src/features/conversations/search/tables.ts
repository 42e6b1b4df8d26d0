import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../../kernel/store/database.ts'

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db)

/**
 * The words of messages. A trigger puts new messages into a queue, which costs a turn little; a job indexes them. Deleting a
 * message deletes its words.
 */
export async function createMessageSearch(db: Kysely<unknown>): Promise<void> {
  await run(
    db,
    'create table message_unindexed (id text primary key not null references message (id) on delete cascade)',
  )
  if (isPostgres(db)) await createOnPostgres(db)
  else await createOnSqlite(db)
}

async function createOnPostgres(db: Kysely<unknown>): Promise<void> {
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
async function createOnSqlite(db: Kysely<unknown>): Promise<void> {
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
