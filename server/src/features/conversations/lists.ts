import { type Kysely, sql } from 'kysely'
import { createTextIndex, type TextIndex } from '../../kernel/store/text-index.ts'

export const countedFields = ['agent_id', 'status']

export const conversationTitles: TextIndex = { table: 'conversation', column: 'title' }

/** An index for each sort and filter of the console and of users, so that a list is as fast with a million rows as with a few. */
export async function createListIndexes(db: Kysely<unknown>): Promise<void> {
  const indexes: Record<string, string[]> = {
    conversation_updated: ['updated_at'],
    conversation_status_updated: ['status', 'updated_at'],
    conversation_agent_updated: ['agent_id', 'updated_at'],
    conversation_agent: ['agent_id', 'created_at'],
    conversation_status: ['status', 'created_at'],
    conversation_user: ['user_id', 'created_at'],
    conversation_user_updated: ['user_id', 'updated_at'],
  }
  for (const [name, columns] of Object.entries(indexes))
    await db.schema
      .createIndex(name)
      .on('conversation')
      .columns(['workspace_id', ...columns, 'id'])
      .execute()
  await sql`create index conversation_evaluation on conversation (workspace_id, evaluation_id, created_at, id)
    where evaluation_id is not null`.execute(db)
  // Small, so that counting a million rows takes less than 100 ms.
  await db.schema
    .createIndex('conversation_count')
    .on('conversation')
    .columns(['workspace_id', ...countedFields])
    .execute()
  await createTextIndex(db, conversationTitles)
}
