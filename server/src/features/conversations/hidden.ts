import { isBound } from '../../kernel/access.ts'
import { isToolMessage } from '../../kernel/agent/window.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { allows } from '../../kernel/http/permissions.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import { seenAmong } from '../knowledge-sources/access/visible.ts'
import { hiddenToolIds } from '../knowledge-tools/hidden.ts'
import type { History } from '../runs/history.ts'
import type { MessageRow } from '../runs/reply.ts'
import { branchNodes } from './branches.ts'
import { type ConversationRow, callsIn, type ReplyCall } from './store.ts'

const withheldReply = 'This reply is not shown: it rests on documents that you may not see.'

/** The messages of some conversations that rest on something a caller may not see. */
interface Hidden {
  messages: ReadonlySet<string>
  /** Whether the caller sees a document that is cited in these conversations. */
  sees(documentId: string): boolean
}

const nothing: Hidden = { messages: new Set(), sees: () => true }

/**
 * Decides what of some conversations is hidden from a caller. A reply rests on the documents that its searches found and on
 * the tools that it searched with; so does every later message of its branch, because the model was given that reply.
 */
export async function findHidden(ctx: Context, who: Caller, conversations: readonly string[]): Promise<Hidden> {
  if (!isBound(who) || conversations.length === 0) return nothing
  const calls = await callsIn(ctx.db, who.workspace, conversations)
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
  return { messages, sees }
}

/** Files that are attached to a conversation are found by searches too, but access does not restrict them. */
async function seesDocuments(ctx: Context, who: Caller, ids: readonly string[]): Promise<(id: string) => boolean> {
  const isRestrictable = (id: string) => id.startsWith('doc_')
  const sees = await seenAmong(ctx, who, ids.filter(isRestrictable))
  return (id) => !isRestrictable(id) || sees(id)
}

/** Returns a message as a reader may see it, and the same object if nothing of it is hidden. */
export type Mask = <Row extends MessageRow>(row: Row) => Row

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
  return (row) => {
    if (row.role === 'assistant' && hidden.messages.has(row.id)) return masked(row, hidden, isOwn)
    return row.scores === undefined || seesScores ? row : withoutScores(row)
  }
}

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
    ...(!isOwn && { output: null, error: null, details: null }),
  }
}

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

const documentsFound = (message: ModelMessage): string[] => (message.role === 'tool' ? (message.documents ?? []) : [])
