import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound, Problem } from '../../../kernel/errors.ts'
import { conversationOfReply } from '../../conversations/past.ts'
import { type ConversationRow, conversations, storedMessage } from '../../conversations/service.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { findRecord, type ResponseRecord, type ResponseRequest, toMessageId } from './record.ts'

/** A reply of a conversation. One that did not come through this API has no record. */
export interface StoredResponse {
  conversation: ConversationRow
  /** The reply as it is stored. `followResponse` shows it as the caller may see it. */
  row: MessageRow
  record: ResponseRecord | undefined
}

/** The response of this id, or of a message. The role `user` finds only those in its own conversations. */
export async function findResponse(ctx: Context, who: Caller, id: string): Promise<StoredResponse | undefined> {
  const messageId = toMessageId(id)
  const found = await conversationOfReply(ctx.db, who.workspace, messageId)
  if (found === undefined) return undefined
  const conversation = await conversations.get(ctx, who, found).catch((error) => {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  })
  if (!conversation) return undefined
  const row = await storedMessage(ctx, conversation, messageId)
  const record = await findRecord(ctx, row)
  return record?.deleted ? undefined : { conversation, row, record }
}

export async function getStored(ctx: Context, who: Caller, id: string): Promise<StoredResponse> {
  const found = id.startsWith('resp_') ? await findResponse(ctx, who, id) : undefined
  return found ?? notFound('response', id)
}

/** Falls back to defaults for a reply that did not come through this API: it has no stored request. */
export const storedRequest = ({ record, row, conversation }: StoredResponse): ResponseRequest =>
  record ?? {
    echo: {
      model: row.agent_id ?? conversation.agent_id,
      previous_response_id: null,
      instructions: null,
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      temperature: 1,
      top_p: 1,
      max_output_tokens: null,
      reasoning: { effort: null, summary: null },
      text: { format: { type: 'text' } },
      store: true,
      background: false,
      metadata: {},
      user: conversation.user_id,
      safety_identifier: null,
      prompt_cache_key: null,
    },
    input: [],
    standing: [],
  }
