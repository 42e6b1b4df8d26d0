import { isBound } from '../../kernel/access.ts'
import { withoutAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound, Problem, unknownReference } from '../../kernel/errors.ts'
import { collection } from '../../kernel/store/collection.ts'
import { Conflict, type Statement } from '../../kernel/store/commits.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { statement } from '../../kernel/store/statement.ts'
import type { Narrow } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { agents } from '../agents/service.ts'
import { type EventSource, ended, eventsUntilDecision, isOver, type MessageSource, replay } from '../runs/events.ts'
import type { MessageRow } from '../runs/reply.ts'
import { Run } from '../runs/run.ts'
import { removeWaitingIn } from '../runs/waiting.ts'
import { activation, branchNodes, branchThrough, withVersions } from './branches.ts'
import { completeNow } from './completion.ts'
import { removeContentLater } from './files/deletion.ts'
import { detachAll } from './files/store.ts'
import { forReader } from './hidden.ts'
import { conversationTitles, countedFields } from './lists.ts'
import { changeMessage, updateMessage } from './message-row.ts'
import { Conversation } from './schema.ts'
import { filtersOf, type Match, matchesIn, searchNote } from './search/filters.ts'
import {
  type ConversationRow,
  findMessage,
  type HiddenColumns,
  lastMessages,
  neighbour,
  type Paging,
  pageOfMessages,
} from './store.ts'
import { cancelChannel } from './streaming/remote-turns.ts'
import { cancelWaiting, type Decision, decide } from './turn/approvals.ts'
import { refuseVariables } from './variables.ts'

export type { ConversationRow } from './store.ts'

const shownMessages = 200

/** The role `user` sees its own conversations only. */
const narrow = (who: Caller): Narrow | undefined =>
  who.role === 'user' ? (found) => found.where('user_id', '=', who.userId) : undefined

const rows = collection<typeof Conversation, HiddenColumns>({
  name: 'conversation',
  shape: Conversation,
  prefix: 'cnv',
  kind: 'conversation',
  narrow,
  counted: countedFields,
  textIndex: conversationTitles,
  async complete({ ctx, tx, who, next, input, previous }) {
    next.variables ??= {}
    if (who.role === 'user') {
      next.user_id = who.userId
      refuseVariables(next.variables, previous?.variables)
    }
    if (previous) {
      if (next.agent_id !== previous.agent_id) invalid('agent_id', 'of a conversation cannot be changed')
      if (next.user_id !== previous.user_id && input.user_id !== undefined)
        invalid('user_id', 'of a conversation cannot be changed')
      return
    }
    const agent = await agents.find(tx, who, next.agent_id)
    if (!agent || !agents.sees(who, agent)) unknownReference('agent_id', 'agent', next.agent_id)
    if (next.status === 'completed') invalid('status', 'of a new conversation cannot be completed')
    next.evaluation_id ??= null
    if (agent.status === 'archived' && next.evaluation_id === null)
      invalid('agent_id', 'names an agent that is archived')
    Object.assign(next, { status: 'active', running_message_id: null, last_message_id: null, active_at: ctx.now() })
  },
  async removed({ ctx, tx, who, row }) {
    await removeWaitingIn(tx, [row.id])
    await removeContentLater(ctx, tx, who.workspace, await detachAll(tx, who.workspace, row.id))
    if (row.running_message_id !== null) ctx.state.runs.cancel(row.running_message_id)
    ctx.state.conversations.histories.invalidate(row.id)
  },
})

/** The conversation. For the role `user`, conversations of others do not exist. */
async function get(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  const row = await rows.get(ctx, who, id)
  return who.role === 'user' && row.user_id !== who.userId ? notFound('conversation', id) : row
}

/** The conversation for reading: others may read one that is shared. */
export async function read(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  const row = await rows.get(ctx, who, id)
  return row.shared && (await seesAgent(ctx, who, row.agent_id)) ? row : get(ctx, who, id)
}

/** Agents that are deleted are seen in what was said with them. */
async function seesAgent(ctx: Context, who: Caller, id: string): Promise<boolean> {
  const agent = isBound(who) ? await agents.find(ctx.db, who, id) : undefined
  return agent === undefined || agents.sees(who, agent)
}

const isOwn = (who: Caller, { user_id }: ConversationRow) => ({ isOwn: user_id === who.userId })

/** `status: "completed"` completes the conversation together with the other changes. */
async function update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<ConversationRow> {
  await get(ctx, who, id)
  const { status, ...given } = body as Partial<Conversation>
  return inTransaction(ctx.db, async (tx) => {
    const row = await rows.update(ctx, who, id, given, ifMatch, tx)
    if (status === undefined || status === row.status) return row
    if (row.status === 'completed') {
      throw new Problem(
        'conversation_completed',
        'This conversation is completed and cannot be reopened. Start a new one.',
      )
    }
    if (!(await completeByRequest(ctx, tx, who, id))) throw busy()
    return (await rows.find(tx, who, id)) ?? notFound('conversation', id)
  })
}

async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<void> {
  await get(ctx, who, id)
  await rows.remove(ctx, who, id, ifMatch)
}

/** With `search`, each conversation has what matched in it. Filters may read all messages, so a thread does it. */
async function list(
  ctx: Context,
  who: Caller,
  query: ListQuery,
): Promise<Page<ConversationRow & { matches?: Match[] }>> {
  const { where, narrow: filtered } = filtersOf(ctx, who, query.where)
  const seen = filtered ? allOf(narrow(who), filtered) : narrow(who)
  const page = await rows.table.list(ctx.longReads, who.workspace, { ...query, where, fields: undefined }, seen)
  if (query.where.search === undefined) return page
  const matches = await matchesIn(
    ctx,
    who,
    query.where,
    page.rows.map(({ id }) => id),
  )
  const message = await searchNote(ctx, who, query.where)
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, matches: matches.get(row.id) ?? [] })),
    ...(message !== undefined && { message }),
  }
}

const allOf =
  (...conditions: (Narrow | undefined)[]): Narrow =>
  (found) =>
    conditions.reduce((narrowed, condition) => condition?.(narrowed) ?? narrowed, found)

export type ListFilter = Pick<ListQuery, 'where' | 'q' | 'ranges'>

export const conversations = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  list,
  get,
  /** In the caller's transaction when one is given. */
  async create(ctx: Context, who: Caller, body: object, tx?: Db): Promise<ConversationRow> {
    const row = await (tx ? rows.create(ctx, who, body, tx) : rows.createGrouped(ctx, who, body))
    ctx.people.seen(who.workspace, row.user_id)
    return row
  },
  update,
  remove,
  count: rows.count,
  /** The conversations after an id, oldest first. */
  async after(ctx: Context, who: Caller, filter: ListFilter, id: string, limit: number) {
    const { where, narrow: filtered } = filtersOf(ctx, who, filter.where)
    const query = { ...filter, where, limit, sort: 'id', order: 'asc', fields: undefined } as const
    const beyond: Narrow = (found) => allOf(narrow(who), filtered)(found).where('id', '>', id)
    return rows.table.first(ctx.longReads, who.workspace, query, beyond)
  },
}

export async function withMessages(ctx: Context, who: Caller, id: string) {
  const conversation = await read(ctx, who, id)
  const found = await lastMessages(ctx.db, who.workspace, id, shownMessages)
  const shown = await forReader(ctx, who, found, isOwn(who, conversation))
  return { ...conversation, messages: await withVersions(ctx.db, shown) }
}

export async function messages(ctx: Context, who: Caller, id: string, paging: Paging): Promise<Page<MessageRow>> {
  const conversation = await read(ctx, who, id)
  const { rows: found, total } = await pageOfMessages(ctx.db, who.workspace, id, paging)
  const shown = await forReader(ctx, who, found, isOwn(who, conversation))
  return { rows: await withVersions(ctx.db, shown), total }
}

export async function message(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  await get(ctx, who, id)
  return readMessage(ctx, who, id, messageId)
}

export async function readMessage(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  const conversation = await read(ctx, who, id)
  const row = (await findMessage(ctx.db, who.workspace, id, messageId)) ?? notFound('message', messageId)
  const shown = await forReader(ctx, who, [row], isOwn(who, conversation))
  return (await withVersions(ctx.db, shown))[0] ?? row
}

/** Shows the branch through a message: other messages beside it and after it leave the conversation, until they are shown again. */
export async function activate(ctx: Context, who: Caller, id: string, messageId: string) {
  const { running_message_id, last_message_id } = await get(ctx, who, id)
  if (running_message_id !== null) throw busy()
  const all = await branchNodes(ctx.db, who.workspace, id)
  const branch = branchThrough(all, messageId)
  const last = branch.at(-1)?.id ?? notFound('message', messageId)
  if (last !== last_message_id) {
    const change = ctx.db
      .updateTable('conversation')
      .set({ last_message_id: last })
      .where((is) => is.and({ id, workspace_id: who.workspace, running_message_id: null, last_message_id }))
    const entry = ctx.audit.statements(who, { action: 'activate', kind: rows.kind, id, part: messageId })
    const statements = [statement(change, 1), ...activation(ctx, who.workspace, all, branch), ...entry]
    await ctx.commits.commit(statements).catch((error) => {
      throw error instanceof Conflict ? busy() : error
    })
  }
  return withMessages(ctx, who, id)
}

export const busy = () =>
  new Problem(
    'conversation_busy',
    'The conversation is still answering an earlier message. Wait for it, decide about the calls it waits for, or cancel it.',
  )

/** The events of a reply, wherever it runs. */
export async function follow(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageSource> {
  const row = await message(ctx, who, id, messageId)
  if (row.role !== 'assistant') invalid('message', 'is not a reply, and only replies are streamed')
  const live = ctx.state.runs.find(messageId)
  if (live) return live
  return row.status === 'running' ? ctx.state.conversations.remote.follow(row) : replay(row)
}

export async function cancel(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  const row = await message(ctx, who, id, messageId)
  if (isOver(row)) return row
  await ctx.commits.commit(ctx.audit.statements(who, { action: 'cancel', kind: rows.kind, id, part: messageId }))
  if (row.status === 'running') await stop(ctx, row)
  await cancelWaiting(ctx, withoutAudit(who), id, messageId)
  return message(ctx, who, id, messageId)
}

/** Stops a reply that runs, here or on another node, and waits until it has stopped. */
async function stop(ctx: Context, row: MessageRow): Promise<void> {
  const { id: messageId } = row
  const { runs, conversations: state } = ctx.state
  const live = runs.find(messageId)
  runs.cancel(messageId)
  if (live) return void (await live.finished)
  const over = ended(state.remote.follow(row))
  await ctx.commits.commit([updateMessage(ctx, row, { cancel_requested: true })])
  if (row.node !== null) ctx.signals.send(cancelChannel(row.node))
  await over
}

export interface Decided {
  /** The turn, if this decision resumed it. */
  turn: Run | null
  row: MessageRow
  source: EventSource
  /** The number of the last event before the turn resumed. */
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
  const { versions } = await message(ctx, who, id, messageId)
  const outcome = await decide(ctx, { who }, conversation, messageId, decision)
  const isTurn = outcome instanceof Run
  const row = isTurn ? outcome.row : outcome
  if (versions) row.versions = versions
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
    changeMessage(ctx, row, { feedback }),
    ...ctx.audit.statements(who, { action: 'feedback', kind: rows.kind, id, part: messageId, fields: ['feedback'] }),
  ])
  return { ...row, feedback }
}

/** Completes the conversation of an evaluation, without an event. */
export const endQuietly = (ctx: Context, who: Caller, id: string): Statement =>
  statement(
    ctx.db
      .updateTable('conversation')
      .set({ status: 'completed', updated_at: timestamp(ctx.now()) })
      .where((is) => is.and({ id, workspace_id: who.workspace, status: 'active', running_message_id: null })),
  )

async function completeByRequest(ctx: Context, tx: Db, who: Caller, id: string): Promise<boolean> {
  const isDone = await completeNow(ctx, tx, { workspace: who.workspace, id, reason: 'requested' })
  if (isDone) await ctx.audit.record(tx, who, { action: 'complete', kind: rows.kind, id })
  return isDone
}

export async function complete(ctx: Context, who: Caller, id: string): Promise<ConversationRow> {
  const conversation = await get(ctx, who, id)
  if (conversation.status === 'completed') return conversation
  const done = await inTransaction(ctx.db, (tx) => completeByRequest(ctx, tx, who, id))
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
