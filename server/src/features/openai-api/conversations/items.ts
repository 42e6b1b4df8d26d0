import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { maskFor } from '../../conversations/hidden.ts'
import { activeMessages, rewriteMessage } from '../../conversations/past.ts'
import { busy, type ConversationRow } from '../../conversations/service.ts'
import { isOver, replay } from '../../runs/events.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { storedRequest } from '../responses/find.ts'
import { readInput } from '../responses/input.ts'
import { findRequests, type ResponseRequest } from '../responses/record.ts'
import { toResponse } from '../responses/response.ts'

export type Item = Record<string, unknown> & { id: string }

/** An item, and the message that it is a part of. */
interface Placed {
  item: Item
  row: MessageRow
  /** The request of the response that it was sent with; undefined for what agents said and for other messages. */
  request?: ResponseRequest
}

/** The items of a conversation as the caller sees them, oldest first. */
export async function placedItems(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  origin: string,
): Promise<Placed[]> {
  const rows = await activeMessages(ctx, conversation)
  const requests = await findRequests(ctx, who.workspace, rows)
  const mask = await maskFor(ctx, who, conversation)
  const placed: Placed[] = []
  for (const [at, row] of rows.entries()) {
    const request = requests.get(row.id)
    if (row.role === 'user') placed.push(questionItem(row))
    else {
      if (request) drop(placed, sentWith(rows.slice(0, at), row, request))
      if (request?.deleted) continue
      const shown = mask(row)
      const sent = (request?.input ?? []) as Item[]
      const visible = shown === row ? sent : sent.filter(({ type }) => type === 'message')
      if (request) placed.push(...visible.map((item) => ({ item, row, request })))
      placed.push(...outputItems(conversation, shown, request, origin).map((item) => ({ item, row })))
    }
  }
  return placed
}

/** The messages that were stored from the input of a response. The request has them in the words of the client. */
function sentWith(before: MessageRow[], { parent_id }: MessageRow, { earlier = 0 }: ResponseRequest): MessageRow[] {
  const last = before.at(-1)
  const questions = last?.role === 'user' && last.id === parent_id ? 1 : 0
  return before.slice(before.length - questions - earlier)
}

function drop(placed: Placed[], rows: MessageRow[]): void {
  const first = placed.findIndex(({ row }) => rows.includes(row))
  if (first >= 0) placed.splice(first)
}

function questionItem(row: MessageRow): Placed {
  const files = row.attachments.map(({ file_id, name, media_type }) =>
    media_type.startsWith('image/')
      ? { type: 'input_image', file_id, detail: 'auto' }
      : { type: 'input_file', file_id, filename: name },
  )
  const content = [{ type: 'input_text', text: row.content }, ...files]
  return { item: { id: row.id, type: 'message', role: 'user', status: 'completed', content }, row }
}

/** A message that the client sent for an agent has no events to make items from. */
function outputItems(
  conversation: ConversationRow,
  row: MessageRow,
  record: ResponseRequest | undefined,
  origin: string,
): Item[] {
  const request = storedRequest({ conversation, row, record: record && { ...record, waiting: null } })
  const { output } = toResponse({ source: replay(row), request, origin })
  return output as Item[]
}

/** Removes an item from its message. */
export async function removePlaced(ctx: Context, who: Caller, { item, row, request }: Placed): Promise<void> {
  if (!isOver(row)) throw busy()
  const record = async (id: string, change: ResponseRequest | null, text: string) =>
    rewriteMessage(ctx, { ...row, id }, text, async (tx) => {
      await ctx.audit.record(tx, who, {
        action: 'delete item',
        kind: 'conversation',
        id: row.conversation_id,
        part: id,
      })
      if (!change) return
      await tx
        .updateTable('response')
        .set({ request: JSON.stringify(change) })
        .where('workspace_id', '=', who.workspace)
        .where('message_id', '=', row.id)
        .execute()
    })
  if (request) {
    const input = request.input.filter((each) => each !== item)
    const inputItems = input.map((each) => ({ item: each, isStored: true, documents: [] }))
    const { said } = readInput(inputItems, who.role, new Set(input.map(({ call_id }) => String(call_id))))
    const asked = said.at(-1)
    return record(row.parent_id, { ...request, input }, asked?.role === 'user' ? asked.content : '')
  }
  if (item.type !== 'message')
    invalid('item', 'is a call or reasoning, which stays with its reply; delete the message of the reply')
  return record(row.id, null, '')
}

export const findItem = <Each extends { item: Item }>(items: readonly Each[], id: string): Each =>
  items.find(({ item }) => item.id === id) ?? notFound('item', id)
