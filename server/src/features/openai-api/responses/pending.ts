import type { Kysely } from 'kysely'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { timestamp } from '../../../kernel/time.ts'

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    /** The items that clients have put into conversations, until a response answers them. */
    pending_input: {
      /** The ID of the conversation. */
      id: string
      workspace_id: string
      /** Null until the first response, which names the agent: before, there is no conversation. */
      conversation_id: string | null
      user_id: string | null
      metadata: string
      items: string
      created_at: string
    }
  }
}

export async function createPendingTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pending_input')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', (column) => column.references('conversation.id').onDelete('cascade'))
    .addColumn('user_id', 'text')
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('items', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('pending_input_conversation').on('pending_input').columns(['conversation_id']).execute()
  await db.schema.createIndex('pending_input_user').on('pending_input').columns(['workspace_id', 'user_id']).execute()
  await db.schema.createIndex('pending_input_age').on('pending_input').columns(['created_at']).execute()
}

export interface PendingItem {
  item: Record<string, unknown> & { id: string }
  /** Whether the client may speak for the agent and instruct it: the role `user` may not. */
  isTrusted: boolean
}

export interface Pending {
  id: string
  /** Whether no response has started yet, so that no agent is known. */
  isNew: boolean
  user_id: string | null
  metadata: Record<string, string>
  items: PendingItem[]
  created_at: string
}

/** For the role `user`, conversations of others do not exist. */
export async function findPending({ db }: Context, who: Caller, id: string): Promise<Pending | undefined> {
  const row = await db
    .selectFrom('pending_input')
    .selectAll()
    .where('workspace_id', '=', who.workspace)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || (who.role === 'user' && row.user_id !== who.userId)) return undefined
  return {
    id,
    isNew: row.conversation_id === null,
    user_id: row.user_id,
    metadata: JSON.parse(row.metadata) as Pending['metadata'],
    items: JSON.parse(row.items) as PendingItem[],
    created_at: row.created_at,
  }
}

export async function savePending({ db }: Context, who: Caller, pending: Pending): Promise<void> {
  const { id, isNew, user_id, created_at } = pending
  const content = { metadata: JSON.stringify(pending.metadata), items: JSON.stringify(pending.items) }
  const conversation_id = isNew ? null : id
  await db
    .insertInto('pending_input')
    .values({ id, workspace_id: who.workspace, conversation_id, user_id, created_at, ...content })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(content))
    .execute()
}

/** The response that answers it has it from now on. */
export const removePendingStatement = ({ db }: Context, workspace: string, id: string): Statement =>
  statement(db.deleteFrom('pending_input').where('workspace_id', '=', workspace).where('id', '=', id))

export async function removePending({ db }: Context, who: Caller, id: string): Promise<void> {
  await db.deleteFrom('pending_input').where('workspace_id', '=', who.workspace).where('id', '=', id).execute()
}

const batch = 500

/** Conversations that no response has ever started in. Others go with their conversation. */
export async function removeOldPending({ db }: Context, before: number): Promise<number> {
  const old = await db
    .selectFrom('pending_input')
    .select('id')
    .where('created_at', '<', timestamp(before))
    .where('conversation_id', 'is', null)
    .limit(batch)
    .execute()
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  await db.deleteFrom('pending_input').where('id', 'in', ids).execute()
  return ids.length
}
