import { isBound } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import { seenAmong } from '../knowledge-sources/access/visible.ts'
import type { History } from '../runs/history.ts'
import type { MessageRow } from '../runs/reply.ts'

const withheldResult = 'What this search found is not shown: you may not see all of these documents.'
const withheldReply = 'This reply is not shown: it rests on documents that you may not see.'

const documentsOf = ({ citations, tool_calls }: MessageRow): string[] => [
  ...citations.map(({ document_id }) => document_id),
  ...tool_calls.flatMap(({ documents = [] }) => documents),
]

/**
 * Removes search results and quotes of documents that the caller may no longer see. A reply in a conversation of another
 * person that cites such documents is withheld; people keep the text of replies in their own conversations.
 */
export async function forReader<Row extends MessageRow>(
  ctx: Context,
  who: Caller,
  rows: readonly Row[],
  { isOwn }: { isOwn: boolean },
): Promise<Row[]> {
  const ids = isBound(who) ? rows.flatMap(documentsOf) : []
  if (ids.length === 0) return [...rows]
  const sees = await seenAmong(ctx, who, ids)
  return rows.map((row) => (documentsOf(row).every(sees) ? row : withoutUnseen(row, sees, isOwn)))
}

function withoutUnseen<Row extends MessageRow>(row: Row, sees: (id: string) => boolean, isOwn: boolean): Row {
  const citations = row.citations.filter(({ document_id }) => sees(document_id))
  const unseen = new Set(
    row.citations.filter((citation) => !citations.includes(citation)).map((each) => each.tool_call_id),
  )
  const tool_calls = row.tool_calls.map((call) =>
    unseen.has(call.id) || !(call.documents ?? []).every(sees) ? { ...call, result: withheldResult } : call,
  )
  return { ...row, citations, tool_calls, ...(!isOwn && { content: withheldReply, output: null, steps: null }) }
}

/** Removes the search results from a history that come from documents the caller may no longer see. */
export async function withoutHidden(ctx: Context, who: Caller, history: History): Promise<History> {
  const documents = isBound(who) ? history.messages.flatMap(documentsFound) : []
  if (documents.length === 0) return history
  const sees = await seenAmong(ctx, who, documents)
  if (documents.every(sees)) return history
  const messages = history.messages.map((message) =>
    documentsFound(message).every(sees) ? message : { ...message, content: withheldResult },
  )
  return { ...history, messages: messages as ModelMessage[] }
}

const documentsFound = (message: ModelMessage): string[] => (message.role === 'tool' ? (message.documents ?? []) : [])
