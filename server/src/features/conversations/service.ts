import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound, Problem, unknownReference } from '../../kernel/errors.ts'
import { noteChange } from '../../kernel/store/audit.ts'
import { collection } from '../../kernel/store/collection.ts'
import { type Statement, Superseded } from '../../kernel/store/commits.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import type { Narrow, Stored } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { type AgentRow, agents } from '../agents/service.ts'
import { cancelWaiting, type Decision, decide } from './approvals.ts'
import { completeNow } from './completion.ts'
import { LiveTurn } from './live-turn.ts'
import { encode, type MessageRow } from './message-row.ts'
import { followElsewhere } from './polled-turn.ts'
import { type Preparation, prepareAgain, prepareTurn } from './prepare.ts'
import { Conversation } from './schema.ts'
import { findMessage, lastMessages, neighbour, pageOfMessages } from './store.ts'
import { reserveAhead } from './turn-budget.ts'
import { type EventSource, eventsUntilDecision, isOver, replay } from './turn-events.ts'

interface Hidden extends Record<string, unknown> {
  workspace_id: string
  running_message_id: string | null
  last_message_id: string | null
  active_at: number
}
export type ConversationRow = Stored<Conversation & Hidden>

const shownMessages = 200

/** The role `user` sees its own conversations only. */
const narrow =
  (who: Caller): Narrow =>
  (found) =>
    who.role === 'user' ? found.where('user_id', '=', who.userId) : found

const rows = collection<typeof Conversation, Hidden>({
  name: 'conversation',
  shape: Conversation,
  prefix: 'cnv',
  kind: 'conversation',
  narrow,
  async complete({ ctx, tx, who, next, given, previous }) {
    if (who.role === 'user') next.user_id = who.userId
    if (previous) {
      if (next.agent_id !== previous.agent_id) invalid('agent_id', 'of a conversation cannot be changed')
      if (next.user_id !== previous.user_id && given.user_id !== undefined)
        invalid('user_id', 'of a conversation cannot be changed')
      return
    }
    const agent = await agents.find(tx, who, next.agent_id)
    if (!agent) unknownReference('agent_id', 'agent', next.agent_id)
    next.evaluation_id ??= null
    if (agent.status === 'archived' && next.evaluation_id === null)
      invalid('agent_id', 'names an agent that is archived')
    Object.assign(next, { status: 'active', running_message_id: null, last_message_id: null, active_at: ctx.now() })
  },
  async removed({ ctx, row }) {
    if (row.running_message_id !== null) ctx.state.conversations.cancel(row.running_message_id)
    ctx.state.conversations.histories.forget(row.id)
  },
})

/** The conversation, if the caller may see it: of others' conversations, the role `user` learns nothing. */
async function get(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  return shownTo(who, await rows.get(ctx, who, id))
}

const shownTo = (who: Caller, row: ConversationRow): ConversationRow =>
  who.role === 'user' && row.user_id !== who.userId ? notFound('conversation', row.id) : row

async function update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<ConversationRow> {
  await get(ctx, who, id)
  return rows.update(ctx, who, id, body, ifMatch)
}

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  await get(ctx, who, id)
  await rows.remove(ctx, who, id, ifMatch)
}

export const conversations = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  list: (ctx: Context, who: Caller, query: ListQuery) => rows.list(ctx, who, query),
  get,
  create: rows.createQuickly,
  /** Part of the caller's transaction. */
  createIn: (ctx: Context, who: Caller, body: object, tx: Db) => rows.create(ctx, who, body, tx),
  update,
  remove,
  count: rows.count,
  /** Those after one, in the order in which they were begun. */
  async after(ctx: Context, who: Caller, filter: Pick<ListQuery, 'where' | 'q'>, id: string, limit: number) {
    const query = { ...filter, page: 1, limit, sort: 'id', order: 'asc', fields: undefined } as const
    const beyond: Narrow = (found) => narrow(who)(found).where('id', '>', id)
    return (await rows.table.list(ctx.db, who.workspace, query, beyond)).rows
  },
}

export async function withMessages(ctx: Context, who: Caller, id: string) {
  const conversation = await get(ctx, who, id)
  return { ...conversation, messages: await lastMessages(ctx.db, who.workspace, id, shownMessages) }
}

export async function messages(
  ctx: Context,
  who: Caller,
  id: string,
  paging: { page: number; limit: number },
): Promise<Page<MessageRow>> {
  await get(ctx, who, id)
  return pageOfMessages(ctx.db, who.workspace, id, paging)
}

export async function message(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  await get(ctx, who, id)
  return (await findMessage(ctx.db, who.workspace, id, messageId)) ?? notFound('message', messageId)
}

export async function send(
  ctx: Context,
  who: Caller,
  id: string,
  text: string,
  /** Where nobody can approve calls, those that need it are refused. A pinned agent is asked as it was then. */
  {
    canPause = true,
    pinned = null,
    isStreamed = false,
  }: { canPause?: boolean; pinned?: AgentRow | null; isStreamed?: boolean } = {},
): Promise<LiveTurn> {
  const turns = ctx.state.conversations
  const conversation = await turns.lastConversation.get(who.workspace, id, () => rows.get(ctx, who, id))
  shownTo(who, conversation)
  refuseIfTaken(conversation)
  const preparation = await prepareTurn(ctx, who, turns, conversation, text, pinned)
  return begin(ctx, who, conversation, { ...preparation, run: { ...preparation.run, canPause } }, isStreamed)
}

export async function regenerate(
  ctx: Context,
  who: Caller,
  id: string,
  messageId: string,
  isStreamed: boolean,
): Promise<LiveTurn> {
  let conversation = await get(ctx, who, id)
  // One that waits for approval is given up for the new one.
  if (conversation.running_message_id === messageId && (await cancelWaiting(ctx, who, id, messageId))) {
    conversation = await get(ctx, who, id)
  }
  refuseIfTaken(conversation)
  const replaced = await message(ctx, who, id, messageId)
  if (replaced.role !== 'assistant' || replaced.id !== conversation.last_message_id) {
    invalid('message', 'is not the last reply of the conversation, and only that can be regenerated')
  }
  const preparation = await prepareAgain(ctx, who, ctx.state.conversations, conversation, replaced)
  return begin(ctx, who, conversation, { ...preparation, run: { ...preparation.run, canPause: true } }, isStreamed)
}

async function begin(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  preparation: Preparation,
  isStreamed: boolean,
): Promise<LiveTurn> {
  preparation.budget = await reserveAhead(ctx, who, preparation)
  try {
    return await ctx.state.conversations.start(who, preparation, isStreamed)
  } catch (error) {
    await preparation.budget?.release()
    if (!(error instanceof Superseded)) throw error
    refuseIfTaken(await get(ctx, who, conversation.id)) // somebody was faster: say how
    throw busy()
  }
}

const busy = () =>
  new Problem(
    'conversation_busy',
    'The conversation is still answering an earlier message. Wait for it, decide about the calls it waits for, or cancel it.',
  )

function refuseIfTaken(conversation: ConversationRow): void {
  if (conversation.status === 'completed') {
    throw new Problem('conversation_completed', 'This conversation is completed. Start a new one.')
  }
  if (conversation.running_message_id !== null) throw busy()
}

/** What there is to follow of a reply, wherever it runs. */
export async function follow(ctx: Context, who: Caller, id: string, messageId: string): Promise<EventSource> {
  const row = await message(ctx, who, id, messageId)
  if (row.role !== 'assistant') invalid('message', 'is not a reply, and only replies are streamed')
  const live = ctx.state.conversations.find(messageId)
  if (live) return live
  return row.status === 'running' ? followElsewhere(ctx, row) : replay(row)
}

export async function cancel(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  const row = await message(ctx, who, id, messageId)
  if (isOver(row)) return row
  if (row.status === 'running') await stop(ctx, who, row)
  return (await cancelWaiting(ctx, who, id, messageId)) ?? message(ctx, who, id, messageId)
}

/** Stops a reply that runs, here or on another node, and waits until it has stopped. */
async function stop(ctx: Context, who: Caller, row: MessageRow): Promise<void> {
  const { id: messageId } = row
  const turns = ctx.state.conversations
  const live = turns.find(messageId)
  turns.cancel(messageId)
  if (live) return void (await live.finished)
  await ctx.commits.commit([
    ctx.statements.update('message', encode({ cancel_requested: true }), {
      id: messageId,
      workspace_id: who.workspace,
      status: 'running',
    }),
  ])
  await ended(followElsewhere(ctx, row))
}

/** Waits for the end of a turn that runs on another node. */
const ended = (source: EventSource): Promise<void> =>
  new Promise((resolve) => {
    const stopListening = source.subscribe(() => {
      if (!source.ended) return
      stopListening()
      resolve()
    })
  })

export interface Decided {
  /** The turn, if this decision set it going. */
  turn: LiveTurn | null
  row: MessageRow
  source: EventSource
  /** The number of the last event before the turn goes on. */
  after: number
}

/** Approves or refuses a call that a reply waits for. */
export async function decideCall(
  ctx: Context,
  who: Caller,
  id: string,
  messageId: string,
  decision: Decision,
): Promise<Decided> {
  const conversation = await get(ctx, who, id)
  await message(ctx, who, id, messageId)
  const outcome = await decide(ctx, who, conversation, messageId, decision)
  const isTurn = outcome instanceof LiveTurn
  const row = isTurn ? outcome.row : outcome
  const after = eventsUntilDecision(row, decision.tool_call_id)
  const source = isTurn ? outcome : await follow(ctx, who, id, messageId)
  return { turn: isTurn ? outcome : null, row, source, after }
}

export async function giveFeedback(
  ctx: Context,
  who: Caller,
  id: string,
  messageId: string,
  given: { rating: 'up' | 'down'; comment: string | null },
): Promise<MessageRow> {
  const row = await message(ctx, who, id, messageId)
  if (row.role !== 'assistant') invalid('message', 'is not a reply, and feedback is for replies')
  const feedback = { ...given, created_at: timestamp(ctx.now()) }
  await ctx.commits.commit([
    ctx.statements.update('message', encode({ feedback }), { id: messageId, workspace_id: who.workspace }, 1),
  ])
  return { ...row, feedback }
}

/** Ends a conversation that nobody took part in, to be committed with what came of it; no event is told of it. */
export const endQuietly = (ctx: Context, who: Caller, id: string): Statement =>
  ctx.statements.update(
    'conversation',
    { status: 'completed', updated_at: timestamp(ctx.now()) },
    { id, workspace_id: who.workspace, status: 'active', running_message_id: null },
  )

export async function complete(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  const conversation = await get(ctx, who, id)
  if (conversation.status === 'completed') return conversation
  const done = await inTransaction(ctx.db, async (tx) => {
    const isDone = await completeNow(ctx, tx, { workspace: who.workspace, id, reason: 'requested' })
    if (isDone) await noteChange(ctx, tx, who, { action: 'complete', kind: rows.kind, id })
    return isDone
  })
  const now = await get(ctx, who, id)
  if (!done && now.running_message_id !== null) throw busy()
  return now
}

/** A question and the reply to it, by either of the two. */
export async function exchangeAround(
  ctx: Context,
  who: Caller,
  id: string,
  messageId: string,
): Promise<{ question: MessageRow | undefined; reply: MessageRow | undefined }> {
  const given = await message(ctx, who, id, messageId)
  const other = await neighbour(ctx.db, who.workspace, given)
  return given.role === 'user' ? { question: given, reply: other } : { question: other, reply: given }
}
