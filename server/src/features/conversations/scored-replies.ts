import { type Expression, sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { allows } from '../../kernel/http/permissions.ts'
import { lowestId } from '../../kernel/ids.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { MessageRow } from '../runs/reply.ts'
import type { ReplyScore } from '../runs/schema.ts'
import { ancestors, branchNodes, readPath } from './branches.ts'
import { findHidden, maskFor, maskWith } from './hidden.ts'
import type { HistoryRow } from './history.ts'
import { decode, encode } from './message-row.ts'
import { type ConversationRow, findMessage, lockMessage } from './store.ts'

/** A reply without its texts. */
export type ReplyFacts = Pick<
  MessageRow,
  'id' | 'workspace_id' | 'conversation_id' | 'agent_id' | 'agent_version' | 'label' | 'status' | 'timestamp'
>

const factColumns = [
  'id',
  'workspace_id',
  'conversation_id',
  'agent_id',
  'agent_version',
  'label',
  'status',
  'timestamp',
] as const

/** Replies to people: not those of evaluations. */
const replyFacts = (db: Db) =>
  db.selectFrom('message').select(factColumns).where('role', '=', 'assistant').where('evaluation_id', 'is', null)

/** The replies of some workspaces after an id, oldest first. */
export const repliesAfter = (db: Db, workspaces: string[], after: string, limit: number): Promise<ReplyFacts[]> =>
  replyFacts(db)
    .where('id', '>', after)
    // An expression, because the planner would use an index by workspace, which has far more rows than there are new ids.
    .where(sql<string>`coalesce(workspace_id, '')`, 'in', workspaces)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The replies of all workspaces that failed since a time, after an id, oldest first. */
export const failedReplies = (db: Db, since: number, after: string, limit: number): Promise<ReplyFacts[]> =>
  replyFacts(db)
    .where('status', '=', sql.lit('failed'))
    .where('id', '>=', lowestId('msg', since))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The present state of some replies. */
export const findReplies = async (db: Db, workspace: string, ids: string[]): Promise<ReplyFacts[]> =>
  ids.length === 0 ? [] : replyFacts(db).where('workspace_id', '=', workspace).where('id', 'in', ids).execute()

/** The label that chose the version of a reply, for use in a migration. */
export const replyLabel = (id: Expression<unknown>) => sql`(select label from message where message.id = ${id})`

/** A reply as a person sees it, with the messages before it. */
export interface SeenReply {
  conversation: ConversationRow
  reply: MessageRow
  /** The messages that led to it, oldest first. The last one is the question. */
  past: HistoryRow[]
  /** Whether something of the reply is hidden from the person. */
  isMasked: boolean
}

/** Undefined if the reply was deleted. `person` decides for whom it is masked. */
export async function readSeenReply(
  ctx: Context,
  conversation: ConversationRow,
  messageId: string,
  person: Caller,
  maxPast: number,
): Promise<SeenReply | undefined> {
  const { id, workspace_id } = conversation
  const stored = await findMessage(ctx.db, workspace_id, id, messageId)
  if (!stored) return undefined
  const mask = await maskFor(ctx, person, conversation)
  const { scores: _, ...reply } = stored
  const path = ancestors(await branchNodes(ctx.db, workspace_id, id), stored.parent_id)
  const past = await readPath(ctx.db, workspace_id, path, maxPast)
  const shown = mask(reply)
  return { conversation, reply: shown, past, isMasked: shown !== reply }
}

/** Adds the scores of a monitor to a reply. Returns false if it was deleted. */
export async function addScores(
  tx: Db,
  { workspace_id, conversation_id, id }: Pick<ReplyFacts, 'workspace_id' | 'conversation_id' | 'id'>,
  monitorId: string,
  scores: ReplyScore[],
): Promise<boolean> {
  const row = await lockMessage(tx, workspace_id, conversation_id, id)
  if (!row) return false
  if (scores.length === 0) return true
  const others = (row.scores ?? []).filter(({ monitor_id }) => monitor_id !== monitorId)
  await tx
    .updateTable('message')
    .set(encode({ scores: [...others, ...scores] }))
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute()
  return true
}

/** A question and its reply, as a caller may see them. */
export interface SeenExchange {
  question: MessageRow | undefined
  reply: MessageRow
  isMasked: boolean
}

/** Exchanges of any conversations, by the ids of their replies. */
export async function readExchanges(ctx: Context, who: Caller, ids: string[]): Promise<Map<string, SeenExchange>> {
  const replies = await messagesById(ctx.db, who.workspace, ids)
  const questions = await messagesById(
    ctx.db,
    who.workspace,
    replies.map(({ parent_id }) => parent_id),
  )
  // A caller who may not read conversations reads nothing of them here either.
  const hidden = allows('converse', who.role)
    ? await findHidden(ctx, who, [...new Set(replies.map(({ conversation_id }) => conversation_id))])
    : { messages: new Set(replies.map(({ id }) => id)), conversations: new Set<string>(), sees: () => false }
  const byId = new Map(questions.map((row) => [row.id, row]))
  return new Map(
    replies.map((row) => {
      // The user of a message is that of its conversation.
      const reply = maskWith(hidden, who, row)(row)
      return [row.id, { question: byId.get(row.parent_id), reply, isMasked: reply !== row }]
    }),
  )
}

async function messagesById(db: Db, workspace: string, ids: string[]): Promise<MessageRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('message')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('id', 'in', ids)
    .execute()
  return rows.map(decode)
}
