import { type Generated, sql, type Updateable } from 'kysely'
import type { AskingReply } from '../../kernel/agent/agent-tool.ts'
import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { type Db, isPostgres, type Tables } from '../../kernel/store/database.ts'
import type { Page } from '../../kernel/store/list.ts'
import { prepared } from '../../kernel/store/statement.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import type { MessageRow } from '../runs/reply.ts'
import { decode, type MessageCells } from './message-row.ts'
import type { Conversation } from './schema.ts'

/** Columns of a conversation that clients do not see. */
export type HiddenColumns = {
  workspace_id: string
  running_message_id: string | null
  last_message_id: string | null
  active_at: number
  /** The replies that led to the conversation of an agent that is asked as a tool, as JSON. */
  callers: string
  /** The version that answers, and the agent that it belongs to: after a handoff another one answers. Null: not bound. */
  version_agent_id: string | null
  agent_version: number | null
  experiment_id: string | null
  /** The position of the variant in the experiment. */
  variant: number | null
  /** When the conversation was last read for memories (milliseconds), and up to which message. */
  memory_read_at: number | null
  memory_read_id: string | null
}
export type ConversationRow = Stored<Conversation & HiddenColumns>

declare module '../../kernel/store/database.ts' {
  interface Tables {
    conversation: Omit<ConversationRow, 'shared' | 'variables' | 'metadata' | 'callers' | 'memory' | 'summary'> & {
      memory: Generated<boolean>
      summary: Generated<string>
      callers: Generated<string>
      shared: Generated<boolean>
      variables: Generated<string>
      metadata: string
    }
    message: MessageCells
  }
}

type Changes = Updateable<Tables['conversation']> & Pick<ConversationRow, 'id' | 'workspace_id'>

/** `last` is the message that the turn follows. */
export const takeConversation = prepared(
  (db, { id, workspace_id, last, ...changes }: Changes & { last: string | null }) =>
    db
      .updateTable('conversation')
      .set(changes)
      .where((is) => is.and({ id, workspace_id, status: 'active', running_message_id: null }))
      .where('last_message_id', 'is not distinct from', last),
)

/** Changes a conversation while a reply runs in it. */
export const changeWhileRunning = prepared((db, { id, workspace_id, reply, ...changes }: Changes & { reply: string }) =>
  db
    .updateTable('conversation')
    .set(changes)
    .where((is) => is.and({ id, workspace_id, running_message_id: reply })),
)

export const activeNow = ({ now }: Context) => ({ active_at: now(), updated_at: timestamp(now()) })

/** Frees the conversation of a reply that ends. */
export function freeConversation(
  ctx: Context,
  { id: reply, workspace_id, conversation_id: id }: MessageRow,
  activity: Partial<ReturnType<typeof activeNow>> = activeNow(ctx),
): Statement {
  const freed = { running_message_id: null, last_message_id: reply }
  return changeWhileRunning(ctx.db, { id, workspace_id, reply, ...activity, ...freed })
}

const messagesOnAllBranches = (db: Db, workspace: string, conversation: string) =>
  db.selectFrom('message').where('workspace_id', '=', workspace).where('conversation_id', '=', conversation)

/** The active branch. Its messages are in the order of their ids. */
export const messagesOnActiveBranch = (db: Db, workspace: string, conversation: string) =>
  messagesOnAllBranches(db, workspace, conversation).where('superseded', '=', false)

export async function findMessage(
  db: Db,
  workspace: string,
  conversation: string,
  id: string,
): Promise<MessageRow | undefined> {
  const cells = await db
    .selectFrom('message')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('conversation_id', '=', conversation)
    .where('id', '=', id)
    .executeTakeFirst()
  return cells && decode(cells)
}

/** The question of a reply, or the reply to a question: the active one, else the newest. */
export async function neighbour(db: Db, workspace: string, message: MessageRow): Promise<MessageRow | undefined> {
  if (message.role === 'assistant') return findMessage(db, workspace, message.conversation_id, message.parent_id)
  const cells = await db
    .selectFrom('message')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('conversation_id', '=', message.conversation_id)
    .where('parent_id', '=', message.id)
    .orderBy('superseded')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return cells && decode(cells)
}

/** The message, locked until the transaction ends. */
export async function lockMessage(
  tx: Db,
  workspace: string,
  conversation: string,
  id: string,
): Promise<MessageRow | undefined> {
  const query = tx
    .selectFrom('message')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('conversation_id', '=', conversation)
    .where('id', '=', id)
  const cells = await (isPostgres(tx) ? query.forUpdate() : query).executeTakeFirst()
  return cells && decode(cells)
}

/** The newest messages, oldest first. */
export async function lastMessages(
  db: Db,
  workspace: string,
  conversation: string,
  limit: number,
): Promise<MessageRow[]> {
  const rows = await messagesOnActiveBranch(db, workspace, conversation)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map(decode)
}

export interface Paging {
  page: number
  limit: number
  /** Only messages before this one. Page 1 has the last of them. */
  before?: string | undefined
}

/** Some messages of a conversation, by their ids in order. */
export async function pageOfBranch(
  db: Db,
  workspace: string,
  conversation: string,
  branch: readonly string[],
  { page, limit, before }: Paging,
): Promise<Page<MessageRow>> {
  const listed = before === undefined ? branch : branch.filter((id) => id < before)
  const end = before === undefined ? page * limit : listed.length - (page - 1) * limit
  const ids = listed.slice(Math.max(0, end - limit), Math.max(0, end))
  if (ids.length === 0) return { rows: [], total: listed.length }
  const query = messagesOnAllBranches(db, workspace, conversation).selectAll().where('id', 'in', ids).orderBy('id')
  return { rows: (await query.execute()).map(decode), total: listed.length }
}

export async function pageOfMessages(
  db: Db,
  workspace: string,
  conversation: string,
  { page, limit, before }: Paging,
): Promise<Page<MessageRow>> {
  const all = messagesOnActiveBranch(db, workspace, conversation)
  const listed = before === undefined ? all : all.where('id', '<', before)
  const { total } = await listed.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const offset = (page - 1) * limit
  if (offset >= Number(total)) return { rows: [], total: Number(total) }
  const rows = await listed
    .selectAll()
    .orderBy('id', before === undefined ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  if (before !== undefined) rows.reverse()
  return { rows: rows.map(decode), total: Number(total) }
}

/** The messages after one, oldest first. */
export async function messagesAfter(
  db: Db,
  workspace: string,
  conversation: string,
  after: string,
  limit: number,
  branches: 'active' | 'all' = 'active',
): Promise<MessageRow[]> {
  const rows = branches === 'all' ? messagesOnAllBranches : messagesOnActiveBranch
  const query = rows(db, workspace, conversation).selectAll().where('id', '>', after).orderBy('id').limit(limit)
  return (await query.execute()).map(decode)
}

/** A call of a tool in a reply. */
export interface ReplyCall {
  message_id: string
  conversation_id: string
  tool_id: string | null
  /** The documents that a search has found. */
  documents: string[]
}

/** The calls in some conversations, and the replies that led to those of them that answer other agents. */
interface CallsIn {
  calls: ReplyCall[]
  /** By the id of the conversation. */
  callers: Map<string, AskingReply[]>
}

/** The tool calls of all replies in some conversations, without arguments and results, which may be long. */
export async function callsIn(db: Db, workspace: string, conversations: readonly string[]): Promise<CallsIn> {
  if (conversations.length === 0) return { calls: [], callers: new Map() }
  // The type `json` keeps escaped NUL characters, which `jsonb` rejects.
  const calls = isPostgres(db)
    ? sql`json_array_elements(tool_calls::json) as call (value)`
    : sql`json_each(tool_calls) as call`
  type Row = Omit<ReplyCall, 'documents'> & { documents: string | null; callers: string | null }
  const { rows } = await sql<Row>`
    select message.id as message_id, message.conversation_id, call.value ->> 'tool_id' as tool_id,
      cast(call.value -> 'documents' as text) as documents, null as callers
    from message, ${calls}
    where message.workspace_id = ${workspace} and message.conversation_id in (${sql.join(conversations)})
      and message.tool_calls <> '[]'
    union all select '', id, null, null, callers from conversation
    where workspace_id = ${workspace} and id in (${sql.join(conversations)}) and callers <> '[]'`.execute(db)
  const parse = ({ documents }: Row) => (documents === null ? [] : (JSON.parse(documents) as string[]))
  return {
    calls: rows.flatMap(({ callers, ...row }) =>
      callers === null ? [{ ...row, documents: parse({ ...row, callers }) }] : [],
    ),
    callers: new Map(
      rows.flatMap(({ callers, conversation_id: id }) => (callers === null ? [] : [[id, callersIn({ callers })]])),
    ),
  }
}

/** The conversations of the agents that were asked as tools in these conversations. */
export async function childConversations(
  db: Db,
  workspace: string,
  conversations: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('parent_message_id', 'in', (is) =>
      is
        .selectFrom('message')
        .select('id')
        .where('workspace_id', '=', workspace)
        .where('conversation_id', 'in', [...conversations]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** The replies that led to a conversation, the first one first. */
export const callersIn = ({ callers }: { callers?: string }): AskingReply[] =>
  !callers || callers === '[]' ? [] : (JSON.parse(callers) as AskingReply[])

/** The replies that led to a conversation, the first one first. */
export async function findCallers(db: Db, workspace: string, id: string): Promise<AskingReply[]> {
  const row = await db
    .selectFrom('conversation')
    .select('callers')
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()
  return callersIn(row ?? {})
}
