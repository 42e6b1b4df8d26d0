import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { maskFor } from '../../conversations/hidden.ts'
import { emptyExchange, hasOthers } from '../../conversations/past.ts'
import { busy, cancel, conversations, follow, message } from '../../conversations/service.ts'
import { isOver, replay } from '../../runs/events.ts'
import { removeWaiting } from '../../runs/waiting.ts'
import { getStored, type StoredResponse, storedRequest } from './find.ts'
import type { Replied } from './response.ts'
import type { InputItemsQuery } from './schema.ts'

type Followed = Pick<Replied, 'source' | 'request'>

export async function followResponse(ctx: Context, who: Caller, id: string): Promise<Followed> {
  const found = await getStored(ctx, who, id)
  const source = await follow(ctx, who, found.conversation.id, found.row.id)
  return { source, request: storedRequest(found) }
}

export async function cancelResponse(ctx: Context, who: Caller, id: string): Promise<Followed> {
  const found = await getStored(ctx, who, id)
  const row = await cancel(ctx, who, found.conversation.id, found.row.id)
  return { source: replay(row), request: storedRequest(found) }
}

/** The messages stay, without their texts: others follow them. A conversation without any other is deleted. */
export async function deleteResponse(ctx: Context, who: Caller, id: string): Promise<void> {
  const { row, conversation } = await getStored(ctx, who, id)
  if (!isOver(row)) throw busy()
  if (!(await hasOthers(ctx.db, row))) return conversations.remove(ctx, who, conversation.id)
  await emptyExchange(ctx, row, async (tx) => {
    await ctx.audit.record(tx, who, { action: 'delete', kind: 'response', id, part: row.id })
    await removeWaiting(tx, who.workspace, [row.id])
    const request = JSON.stringify({ deleted: true })
    await tx
      .insertInto('response')
      .values({ message_id: row.id, workspace_id: who.workspace, request })
      .onConflict((conflict) => conflict.column('message_id').doUpdateSet({ request }))
      .execute()
  })
}

export async function inputItems(ctx: Context, who: Caller, id: string, query: InputItemsQuery) {
  return toPage(await sentItems(ctx, who, await getStored(ctx, who, id)), query)
}

/** The items that a response was asked with, as the caller may see them. */
export async function sentItems(ctx: Context, who: Caller, { record, row, conversation }: StoredResponse) {
  const mask = await maskFor(ctx, who, conversation)
  const items = record?.input ?? (await findQuestion(ctx, who, row))
  // Calls and results that the client sent are part of what the reply rests on.
  return mask(row) === row ? items : items.filter(({ type }) => type === 'message')
}

/** A page of items, which are given oldest first. */
export function toPage(all: Record<string, unknown>[], { limit = 20, order = 'desc', after }: InputItemsQuery) {
  const ordered = order === 'asc' ? all : all.toReversed()
  const start = after === undefined ? 0 : ordered.findIndex((item) => item.id === after) + 1
  if (after !== undefined && start === 0) invalid('after', 'is not the id of one of these items')
  const data = ordered.slice(start, start + limit)
  return {
    object: 'list' as const,
    data,
    first_id: itemId(data[0]),
    last_id: itemId(data.at(-1)),
    has_more: start + limit < ordered.length,
  }
}

const itemId = (item: Record<string, unknown> | undefined): string | null =>
  typeof item?.id === 'string' ? item.id : null

/** The input of a reply that did not come through this API: its question. */
async function findQuestion(
  ctx: Context,
  who: Caller,
  { conversation_id, parent_id }: { conversation_id: string; parent_id: string },
): Promise<Record<string, unknown>[]> {
  const question = await message(ctx, who, conversation_id, parent_id)
  const content = [{ type: 'input_text', text: question.content }]
  return [{ id: question.id, type: 'message', role: 'user', status: 'completed', content }]
}
