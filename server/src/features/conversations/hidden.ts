import { isBound } from '../../kernel/access.ts'
import type { ToolResult } from '../../kernel/agent/approval.ts'
import { isToolMessage } from '../../kernel/agent/window.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { allows } from '../../kernel/http/permissions.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import type { Db } from '../../kernel/store/database.ts'
import { seenAmong } from '../knowledge-sources/access/visible.ts'
import { hiddenToolIds } from '../knowledge-tools/hidden.ts'
import type { History } from '../runs/history.ts'
import type { MessageRow } from '../runs/reply.ts'
import { ancestors, branchNodes } from './branches.ts'
import { type ConversationRow, callsIn, type ReplyCall } from './store.ts'

const withheldReply = 'This reply is not shown: it rests on documents that you may not see.'

/** The messages of some conversations that rest on something a caller may not see. */
interface Hidden {
  messages: ReadonlySet<string>
  /** The conversations of agents that such a reply has asked: even their questions may repeat what is hidden. */
  conversations: ReadonlySet<string>
  /** Whether the caller sees a document that is cited in these conversations. */
  sees(documentId: string): boolean
}

const nothing: Hidden = { messages: new Set(), conversations: new Set(), sees: () => true }

/**
 * Decides what of some conversations is hidden from a caller. A reply rests on the documents that its searches found and on
 * the tools that it searched with; so does every later message of its branch, because the model was given that reply, and
 * the conversation of every agent that it asked.
 */
export async function findHidden(ctx: Context, who: Caller, conversations: readonly string[]): Promise<Hidden> {
  if (!isBound(who) || conversations.length === 0) return nothing
  const { calls, callers } = await callsBehind(ctx.db, who.workspace, conversations)
  const sees = await seesDocuments(
    ctx,
    who,
    calls.flatMap(({ documents }) => documents),
  )
  const toolIds = calls.flatMap(({ tool_id, documents }) => (tool_id === null || documents.length > 0 ? [] : [tool_id]))
  const tools = await hiddenToolIds(ctx, who, toolIds)
  const isHidden = ({ tool_id, documents }: ReplyCall) => tools.has(tool_id ?? '') || !documents.every(sees)
  const hidden = calls.filter(isHidden)
  if (hidden.length === 0) return nothing
  const messages = new Set(hidden.map(({ message_id }) => message_id))
  for (const id of new Set(hidden.map(({ conversation_id }) => conversation_id))) {
    // They are sorted by id, so each message comes after its parent.
    for (const node of await branchNodes(ctx.db, who.workspace, id))
      if (messages.has(node.parent_id)) messages.add(node.id)
  }
  const asked = [...callers].filter(([, replies]) => replies.some(({ message_id }) => messages.has(message_id ?? '')))
  for (const [id] of asked) for (const node of await branchNodes(ctx.db, who.workspace, id)) messages.add(node.id)
  return { messages, conversations: new Set(asked.map(([id]) => id)), sees }
}

/** The calls in some conversations, and in those of the replies that led to them. */
async function callsBehind(db: Db, workspace: string, conversations: readonly string[]) {
  const { calls, callers } = await callsIn(db, workspace, conversations)
  const asking = [...callers.values()].flat().flatMap(({ conversation_id }) => conversation_id ?? [])
  const others = [...new Set(asking)].filter((id) => !conversations.includes(id))
  return { calls: [...calls, ...(await callsIn(db, workspace, others)).calls], callers }
}

/** Whether a conversation repeats what a reply of another one found, and the caller may not see that. */
export async function isWithheld(
  ctx: Context,
  who: Caller,
  { id, parent_message_id }: Pick<ConversationRow, 'id' | 'parent_message_id'>,
): Promise<boolean> {
  return parent_message_id !== null && (await findHidden(ctx, who, [id])).conversations.has(id)
}

/**
 * The documents that a message rests on, as `findHidden` decides it, and the tools that have found none. An agent that asks
 * others rests on what these have found.
 */
export async function findBasis(db: Db, workspace: string, conversation: string, messageId: string): Promise<string[]> {
  const { calls, callers } = await callsBehind(db, workspace, [conversation])
  if (calls.length === 0) return []
  const ends = [{ conversation_id: conversation, message_id: messageId }, ...(callers.get(conversation) ?? [])]
  const path = new Set<string>()
  for (const { conversation_id, message_id } of ends) {
    const nodes = await branchNodes(db, workspace, conversation_id ?? '')
    for (const { id } of ancestors(nodes, message_id ?? '')) path.add(id)
  }
  const basis = calls
    .filter(({ message_id }) => path.has(message_id))
    .flatMap(({ tool_id, documents }) => (documents.length > 0 ? documents.filter(isRestrictable) : (tool_id ?? [])))
  return [...new Set(basis)]
}

/** Files that are attached to a conversation are found by searches too, but access does not restrict them. */
const isRestrictable = (id: string): boolean => id.startsWith('doc_')

export async function seesDocuments(
  ctx: Context,
  who: Caller,
  ids: readonly string[],
): Promise<(id: string) => boolean> {
  const sees = await seenAmong(ctx, who, ids.filter(isRestrictable))
  return (id) => !isRestrictable(id) || sees(id)
}

/** Returns a message as a reader may see it, and the same object if nothing of it is hidden. */
export interface Mask {
  <Row extends MessageRow>(row: Row): Row
  /** Whether the reader sees the links that connect an account. Another person would connect the wrong account. */
  readonly seesLinks: boolean
}

/** Every message that leaves a conversation for a reader passes this mask. */
export async function maskFor(
  ctx: Context,
  who: Caller,
  conversation: Pick<ConversationRow, 'id' | 'user_id'>,
): Promise<Mask> {
  return maskWith(await findHidden(ctx, who, [conversation.id]), who, conversation)
}

/** The mask for one of the conversations that `hidden` is about. */
export function maskWith(hidden: Hidden, who: Caller, { user_id }: Pick<ConversationRow, 'user_id'>): Mask {
  const isOwn = (who.seenAs ?? who).userId === user_id
  const seesScores = allows('read-configuration', who.role)
  // A token without a person belongs to a program, which passes the link on to its user.
  const isPerson = who.userId === null ? allows('write-configuration', who.role) : who.userId === user_id
  const seesLinks = isPerson && who.seenAs === undefined
  const mask = <Row extends MessageRow>(row: Row): Row => {
    if (row.role === 'assistant' && hidden.messages.has(row.id)) return masked(row, hidden, isOwn)
    const shown = seesLinks || !hasLink(row) ? row : withoutLinks(row)
    return shown.scores === undefined || seesScores ? shown : withoutScores(shown)
  }
  return Object.assign(mask, { seesLinks })
}

export const hasLink = ({ tool_calls }: MessageRow): boolean =>
  tool_calls.some(({ connection }) => typeof connection?.authorize_url === 'string')

const withoutLinks = <Row extends MessageRow>(row: Row): Row => ({
  ...row,
  tool_calls: row.tool_calls.map((call) =>
    call.connection ? { ...call, connection: { ...call.connection, authorize_url: null } } : call,
  ),
})

function withoutScores<Row extends MessageRow>(row: Row): Row {
  const { scores: _, ...rest } = row
  return rest as Row
}

/**
 * Removes the tool calls, and everything else that may repeat what they found. The text stays for the person who asked: they
 * have read it.
 */
function masked<Row extends MessageRow>(row: Row, { sees }: Hidden, isOwn: boolean): Row {
  const content = isOwn ? row.content : withheldReply
  return {
    ...withoutScores(row),
    content,
    events: content === '' ? [] : [content.length],
    tool_calls: [],
    citations: isOwn ? row.citations.filter(({ document_id }) => sees(document_id)) : [],
    steps: null,
    ...(!isOwn && { output: null, error: null, details: null, feedback: withoutComment(row.feedback) }),
  }
}

/** A comment may quote the reply. */
const withoutComment = (feedback: MessageRow['feedback']): MessageRow['feedback'] =>
  feedback && { ...feedback, comment: null }

/** Removes the tool calls from a history, from the first one on that found a document which the caller may not see. */
export async function withoutHidden<Past extends Pick<History, 'messages'>>(
  ctx: Context,
  who: Caller,
  history: Past,
): Promise<Past> {
  const { messages } = history
  const documents = isBound(who) ? messages.flatMap(documentsFound) : []
  if (documents.length === 0) return history
  const sees = await seesDocuments(ctx, who, documents)
  const hidden = messages.findIndex((message) => !documentsFound(message).every(sees))
  if (hidden < 0) return history
  const calls = messages.findLastIndex(({ role }, at) => at < hidden && role === 'assistant')
  return { ...history, messages: messages.filter((message, at) => at < calls || !isToolMessage(message)) }
}

const withheldResult = 'The call was made. Its result is withheld: the user may not see it any more.'

/** A run that waits: its messages, the last of which requests calls, and the results of those that were made. */
interface WaitingStep {
  messages: ModelMessage[]
  results: ToolResult[]
}

/**
 * Withholds results from the model when a run goes on for somebody who may not see them any more, from the first hidden one
 * on, with the arguments and thoughts that followed it. The last request stays: a person has agreed to its arguments, and
 * providers demand the thoughts before it.
 */
export async function withoutHiddenResults<Step extends WaitingStep>(
  ctx: Context,
  who: Caller,
  step: Step,
): Promise<Step> {
  const { messages, results } = step
  const documents = isBound(who) ? [...messages, ...results].flatMap(documentsFound) : []
  if (documents.length === 0) return step
  const sees = await seesDocuments(ctx, who, documents)
  const isHidden = (message: ModelMessage) => !documentsFound(message).every(sees)
  const first = [...messages, ...results].findIndex(isHidden)
  if (first < 0) return step
  return {
    ...step,
    messages: messages.map((message, at) =>
      at < first || at === messages.length - 1 ? message : withheldMessage(message),
    ),
    results: results.map((result, at) => (messages.length + at < first ? result : withheldMessage(result))),
  }
}

function withheldMessage<Message extends ModelMessage>(message: Message): Message {
  if (message.role === 'tool') return { ...message, content: withheldResult }
  if (message.role !== 'assistant' || !message.toolCalls) return message
  const { reasoning: _, ...rest } = message
  return { ...rest, toolCalls: message.toolCalls.map((call) => ({ ...call, arguments: '{}' })) } as Message
}

const documentsFound = (message: ModelMessage): string[] => (message.role === 'tool' ? (message.documents ?? []) : [])
