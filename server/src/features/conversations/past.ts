import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { statement } from '../../kernel/store/statement.ts'
import { forgetSources } from '../memories/write.ts'
import { blankMessage, type MessageRow } from '../runs/reply.ts'
import type { StoredToolCall } from '../runs/schema.ts'
import { ancestors, branchNodes, readPath } from './branches.ts'
import { forgetText } from './memory/summary-store.ts'
import { changeMessage, encode, insertMessage } from './message-row.ts'
import { type ConversationRow, pageOfMessages } from './store.ts'
import { commonFields } from './turn/prepare.ts'

interface PastMessage {
  role: MessageRow['role']
  content: string
  tool_calls: StoredToolCall[]
}

/** Stores messages from elsewhere as the beginning of an empty conversation. Returns their ids. */
export async function storePast(
  ctx: Context,
  created: ConversationRow,
  past: readonly PastMessage[],
): Promise<string[]> {
  const rows: MessageRow[] = []
  for (const { role, content, tool_calls } of past) {
    const before = rows.at(-1)?.id
    const id = ctx.newId('msg', before)
    const blank = blankMessage({ ...commonFields(created, ctx.now()), id, parent_id: before ?? created.id, role })
    const finish_reason = role === 'user' ? null : content === '' ? 'tool_calls' : 'stop'
    rows.push({ ...blank, content, tool_calls, finish_reason })
  }
  const change = ctx.db
    .updateTable('conversation')
    .set({ last_message_id: rows.at(-1)?.id ?? null })
    .where('id', '=', created.id)
    .where('workspace_id', '=', created.workspace_id)
  await ctx.commits.commit([...rows.map((row) => insertMessage(ctx, row)), statement(change, 1)])
  return rows.map(({ id }) => id)
}

/** Stores the results of tool calls that the caller ran. */
export const storeToolCalls = (ctx: Context, row: MessageRow, tool_calls: StoredToolCall[]): Statement =>
  changeMessage(ctx, row, { tool_calls })

/** The conversation of a reply. */
export async function conversationOfReply(db: Db, workspace: string, messageId: string): Promise<string | undefined> {
  const message = await db
    .selectFrom('message')
    .select('conversation_id')
    .where('workspace_id', '=', workspace)
    .where('id', '=', messageId)
    .where('role', '=', 'assistant')
    .executeTakeFirst()
  return message?.conversation_id
}

type Exchange = Pick<MessageRow, 'id' | 'parent_id' | 'workspace_id' | 'conversation_id'>

/** Whether a conversation has messages other than a reply and its question. */
export async function hasOthers(db: Db, { id, parent_id, workspace_id, conversation_id }: Exchange): Promise<boolean> {
  const others = await db
    .selectFrom('message')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('conversation_id', '=', conversation_id)
    .where('id', 'not in', [id, parent_id])
    .limit(1)
    .execute()
  return others.length > 0
}

/** Removes the texts of a reply and of its question. The messages stay, because others follow them. */
export async function emptyExchange(
  ctx: Context,
  { id, parent_id, workspace_id, conversation_id }: Exchange,
  alongside: (tx: Db) => Promise<void>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await forgetText(tx, { workspace_id, conversation_id }, parent_id)
    await tx
      .updateTable('message')
      .set({ ...encode({ content: '', events: [], tool_calls: [], citations: [] }), scores: null })
      .where('workspace_id', '=', workspace_id)
      .where('conversation_id', '=', conversation_id)
      .where('id', 'in', [id, parent_id])
      .execute()
    await forgetSources(tx, workspace_id, [id, parent_id])
    await alongside(tx)
  })
  ctx.state.conversations.histories.invalidate(conversation_id)
}

/** Replaces the text of a message. Removes the calls of a reply and everything that was derived from the old text. */
export async function rewriteMessage(
  ctx: Context,
  { id, workspace_id, conversation_id }: Omit<Exchange, 'parent_id'>,
  content: string,
  alongside: (tx: Db) => Promise<void>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await forgetText(tx, { workspace_id, conversation_id }, id)
    await tx
      .updateTable('message')
      .set({ ...encode({ content, events: [], tool_calls: [], citations: [] }), scores: null })
      .where('workspace_id', '=', workspace_id)
      .where('conversation_id', '=', conversation_id)
      .where('id', '=', id)
      .execute()
    await forgetSources(tx, workspace_id, [id])
    await alongside(tx)
  })
  ctx.state.conversations.histories.invalidate(conversation_id)
}

/** The messages of the active branch as they are stored, oldest first. */
export async function activeMessages({ db }: Context, { id, workspace_id }: ConversationRow): Promise<MessageRow[]> {
  const all: MessageRow[] = []
  for (let page = 1; ; page++) {
    const { rows, total } = await pageOfMessages(db, workspace_id, id, { page, limit: 500 })
    all.push(...rows)
    if (rows.length === 0 || all.length >= total) return all
  }
}

/** The messages from the first one to this one, at most the last `limit`. */
export async function messagesUpTo(db: Db, { id, workspace_id }: ConversationRow, end: string, limit: number) {
  return readPath(db, workspace_id, ancestors(await branchNodes(db, workspace_id, id), end), limit)
}
