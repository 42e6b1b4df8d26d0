import { type Kysely, sql } from 'kysely'
import { isPostgres } from './database.ts'

/** Runs statements over `new` and `old` at an event, such as `after insert on agent`. On Postgres a trigger needs a function. */
export async function createTrigger(db: Kysely<unknown>, name: string, event: string, body: string): Promise<void> {
  if (!isPostgres(db)) return void (await sql.raw(`create trigger ${name} ${event} begin ${body} end`).execute(db))
  // Only before the event does the result matter: without the row, nothing is deleted.
  const code = `begin ${body} return ${event.startsWith('before delete') ? 'old' : 'null'}; end`
  await sql.raw(`create function ${name}() returns trigger language plpgsql as $$ ${code} $$`).execute(db)
  await sql.raw(`create trigger ${name} ${event} for each row execute function ${name}()`).execute(db)
}

export async function dropTrigger(db: Kysely<unknown>, name: string, table: string): Promise<void> {
  await sql.raw(`drop trigger if exists ${name}${isPostgres(db) ? ` on ${table}` : ''}`).execute(db)
  if (isPostgres(db)) await sql.raw(`drop function if exists ${name}()`).execute(db)
}
