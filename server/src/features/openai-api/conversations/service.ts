import { isWaiting } from '../../../kernel/agent/needs.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem } from '../../../kernel/errors.ts'
import { timestamp } from '../../../kernel/time.ts'
import { replyStatuses } from '../../conversations/children/replies.ts'
import { busy, type ConversationRow, conversations } from '../../conversations/service.ts'
import { findResponse } from '../responses/find.ts'
import { readInput } from '../responses/input.ts'
import { findPending, type Pending, type PendingItem, removePending, savePending } from '../responses/pending.ts'
import { findItem, type Item, placedItems, removePlaced } from './items.ts'
import type { OpenAiConversation } from './schema.ts'

/** Items that no response has answered. A response takes them all. */
const maxPending = 500

interface Given {
  items?: Record<string, unknown>[] | null
  metadata?: Record<string, string> | null
}

/** Creates a conversation. The first response names its agent, so until then it is only what the client has put into it. */
export async function createConversation(ctx: Context, who: Caller, { items, metadata }: Given) {
  const pending: Pending = {
    id: ctx.newId('cnv'),
    isNew: true,
    user_id: who.userId,
    metadata: metadata ?? {},
    items: checkItems(ctx, who, items ?? [], new Set()),
    created_at: timestamp(ctx.now()),
  }
  await savePending(ctx, who, pending)
  return present(pending)
}

const present = ({
  id,
  created_at,
  metadata,
}: Pick<Pending, 'id' | 'created_at' | 'metadata'>): OpenAiConversation => ({
  id,
  object: 'conversation',
  created_at: Math.floor(Date.parse(created_at) / 1000),
  metadata,
})

interface Found {
  conversation: ConversationRow | undefined
  pending: Pending | undefined
}

async function find(ctx: Context, who: Caller, id: string): Promise<Found> {
  const pending = await findPending(ctx, who, id)
  const conversation = await conversations.get(ctx, who, id).catch((error: unknown) => {
    if (pending && error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  })
  return { conversation, pending }
}

export async function getConversation(ctx: Context, who: Caller, id: string) {
  const { conversation, pending } = await find(ctx, who, id)
  return present(conversation ?? pending ?? notFound('conversation', id))
}

export async function updateConversation(ctx: Context, who: Caller, id: string, metadata: Record<string, string>) {
  const { conversation, pending } = await find(ctx, who, id)
  if (conversation) return present(await conversations.update(ctx, who, id, { metadata }))
  const changed = { ...(pending ?? notFound('conversation', id)), metadata }
  await savePending(ctx, who, changed)
  return present(changed)
}

export async function deleteConversation(ctx: Context, who: Caller, id: string): Promise<void> {
  const { conversation } = await find(ctx, who, id)
  if (conversation) await conversations.remove(ctx, who, id)
  await removePending(ctx, who, id)
}

/** Adds items, which the next response answers. */
export async function addItems(ctx: Context, who: Caller, id: string, items: Record<string, unknown>[]) {
  const { conversation, pending } = await find(ctx, who, id)
  const waiting = conversation?.last_message_id
    ? (await findResponse(ctx, who, conversation.last_message_id))?.record?.waiting
    : null
  const added = checkItems(ctx, who, items, new Set(waiting?.calls.map((call) => call.id)), conversation !== undefined)
  const all = [...(pending?.items ?? []), ...added]
  if (all.length > maxPending) invalid('items', `wait for a response already; a conversation takes ${maxPending}`)
  const { user_id = who.userId, metadata = {}, created_at = timestamp(ctx.now()) } = conversation ?? pending ?? {}
  await savePending(ctx, who, { id, isNew: conversation === undefined, user_id, metadata, created_at, items: all })
  return added.map(({ item }) => item)
}

/** Checks the items as a response would, and gives each an ID. */
function checkItems(
  ctx: Context,
  who: Caller,
  items: Record<string, unknown>[],
  waiting: ReadonlySet<string>,
  isStarted = false,
): PendingItem[] {
  const inputItems = items.map((item) => ({ item, isStored: false, documents: [] }))
  const read = readInput(inputItems, who.role, waiting, 'items')
  if (isStarted && read.said.some(({ role }) => role === 'assistant'))
    invalid('items', 'have replies or calls of an agent, which can be added only before the first response')
  return read.items.map((item) => ({ item: { ...item, id: ctx.newId('msg') }, isTrusted: who.role !== 'user' }))
}

/** All items, oldest first. The pending ones, which the next response answers, are last. */
export async function listItems(ctx: Context, who: Caller, id: string, origin: string): Promise<Item[]> {
  const { conversation, pending } = await find(ctx, who, id)
  const placed = conversation ? await placedItems(ctx, who, conversation, origin) : []
  return [...placed, ...(pending?.items ?? [])].map(({ item }) => item)
}

export async function getItem(ctx: Context, who: Caller, id: string, itemId: string, origin: string): Promise<Item> {
  const items = await listItems(ctx, who, id, origin)
  return items.find((item) => item.id === itemId) ?? notFound('item', itemId)
}

/** A reply that waits for a person keeps its prompt: what is deleted now would reach the model when it goes on. */
async function waits({ db }: Context, { workspace_id, running_message_id: id }: ConversationRow): Promise<boolean> {
  return id !== null && isWaiting((await replyStatuses(db, workspace_id, [id])).get(id) ?? '')
}

export async function deleteItem(ctx: Context, who: Caller, id: string, itemId: string, origin: string) {
  const { conversation, pending } = await find(ctx, who, id)
  const rest = pending?.items.filter(({ item }) => item.id !== itemId) ?? []
  if (pending && rest.length < pending.items.length) await savePending(ctx, who, { ...pending, items: rest })
  else if (conversation) {
    const item = findItem(await placedItems(ctx, who, conversation, origin), itemId)
    if (await waits(ctx, conversation)) throw busy()
    await removePlaced(ctx, who, item)
  } else notFound('item', itemId)
  return getConversation(ctx, who, id)
}
