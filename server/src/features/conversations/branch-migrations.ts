import { PostgresAdapter, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

/**
 * Messages form a tree: `parent_id` is the message before, or the conversation for a first message. `superseded` marks those
 * outside of the active branch. They have an index of their own, so that messages of the active branch cost nothing more.
 */
export const branchMigration: DatedMigration = {
  name: '2026-11-16-98-message-branches',
  async up(db) {
    await db.schema.alterTable('message').addColumn('parent_id', 'text').execute()
    // Older versions had one line of messages, with replaced replies beside it.
    await sql`
      update message set parent_id = coalesce(earlier.parent_id, message.conversation_id)
      from (
        select id, case when role = 'assistant'
          then max(case when role = 'user' then id end) over before
          else max(case when not superseded then id end) over before end as parent_id
        from message
        window before as (partition by conversation_id order by id rows between unbounded preceding and 1 preceding)
      ) as earlier where earlier.id = message.id`.execute(db)
    await sql`create index message_superseded on message (conversation_id, parent_id, id) where superseded`.execute(db)
    if (db.getExecutor().adapter instanceof PostgresAdapter) await fillForOlderNodes(db)
  },
}

/** Nodes of the release before insert messages without a parent while a cluster is upgraded. */
async function fillForOlderNodes(db: Parameters<DatedMigration['up']>[0]): Promise<void> {
  await sql`
    create function message_parent() returns trigger language plpgsql as $$ begin
      select id into new.parent_id from message
      where workspace_id = new.workspace_id and conversation_id = new.conversation_id and id < new.id
        and not superseded and (new.role = 'user' or role = 'user')
      order by id desc limit 1;
      new.parent_id := coalesce(new.parent_id, new.conversation_id);
      return new;
    end $$`.execute(db)
  await sql`create trigger message_parent before insert on message for each row
    when (new.parent_id is null) execute function message_parent()`.execute(db)
}

/** Whether others in the workspace may read it. */
export const sharedMigration: DatedMigration = {
  name: '2026-11-16-99-shared-conversations',
  async up(db) {
    await db.schema
      .alterTable('conversation')
      .addColumn('shared', 'boolean', (column) => column.notNull().defaultTo(false))
      .execute()
  },
}

/** Values for the variables of the agent's prompt template. */
export const variablesMigration: DatedMigration = {
  name: '2026-11-17-10-conversation-variables',
  async up(db) {
    await db.schema
      .alterTable('conversation')
      .addColumn('variables', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
  },
}
