import { withoutAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Conflict } from '../../kernel/store/commits.ts'
import type { Page } from '../../kernel/store/list.ts'
import { statement } from '../../kernel/store/statement.ts'
import { timestamp } from '../../kernel/time.ts'
import { type EventSource, ended, eventsUntilDecision, isOver, type MessageSource, replay } from '../runs/events.ts'
import type { MessageRow } from '../runs/reply.ts'
import { Run } from '../runs/run.ts'
import { activation, branchNodes, branchThrough, withVersions } from './branches.ts'
import { busy, conversations, read } from './conversations.ts'
import { forReader } from './hidden.ts'
import { changeMessage, updateMessage } from './message-row.ts'
import { type ConversationRow, findMessage, lastMessages, neighbour, type Paging, pageOfMessages } from './store.ts'
import { cancelChannel } from './streaming/remote-turns.ts'
import { cancelWaiting, type Decision, decide } from './turn/approvals.ts'

export * from './conversations.ts'

const maxShownMessages = 200

const isOwn = (who: Caller, { user_id }: ConversationRow) => ({ isOwn: user_id === who.userId })

export async function withMessages(ctx: Context, who: Caller, id: string) {
  const conversation = await read(ctx, who, id)
  const rows = await lastMessages(ctx.db, who.workspace, id, maxShownMessages)
  const shown = await forReader(ctx, who, rows, isOwn(who, conversation))
  return { ...conversation, messages: await withVersions(ctx.db, shown) }
}

export async function messages(ctx: Context, who: Caller, id: string, paging: Paging): Promise<Page<MessageRow>> {
  const conversation = await read(ctx, who, id)
  const { rows, total } = await pageOfMessages(ctx.db, who.workspace, id, paging)
  const shown = await forReader(ctx, who, rows, isOwn(who, conversation))
  return { rows: await withVersions(ctx.db, shown), total }
}

export async function message(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  await conversations.get(ctx, who, id)
  return readMessage(ctx, who, id, messageId)
}

export async function readMessage(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  const conversation = await read(ctx, who, id)
  const row = (await findMessage(ctx.db, who.workspace, id, messageId)) ?? notFound('message', messageId)
  const shown = await forReader(ctx, who, [row], isOwn(who, conversation))
  return (await withVersions(ctx.db, shown))[0] ?? row
}

/** Makes the branch through a message the active one. The messages of other branches are hidden until they are activated again. */
export async function activate(ctx: Context, who: Caller, id: string, messageId: string) {
  const { running_message_id, last_message_id } = await conversations.get(ctx, who, id)
  if (running_message_id !== null) throw busy()
  const all = await branchNodes(ctx.db, who.workspace, id)
  const branch = branchThrough(all, messageId)
  const last = branch.at(-1)?.id ?? notFound('message', messageId)
  if (last !== last_message_id) {
    const change = ctx.db
      .updateTable('conversation')
      .set({ last_message_id: last })
      .where((is) => is.and({ id, workspace_id: who.workspace, running_message_id: null, last_message_id }))
    const statements = [statement(change, 1), ...activation(ctx, who.workspace, all, branch)]
    await ctx.commits.commit(statements).catch((error) => {
      throw error instanceof Conflict ? busy() : error
    })
  }
  return withMessages(ctx, who, id)
}

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
  run: Run | null
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
  const conversation = await conversations.get(ctx, who, id)
  const { versions } = await message(ctx, who, id, messageId)
  const outcome = await decide(ctx, { who }, conversation, messageId, decision)
  const isTurn = outcome instanceof Run
  const row = isTurn ? outcome.row : outcome
  if (versions) row.versions = versions
  const after = eventsUntilDecision(row, decision.tool_call_id)
  const source = isTurn ? outcome : await follow(ctx, who, id, messageId)
  return { run: isTurn ? outcome : null, row, source, after }
}

export async function giveFeedback(
  ctx: Context,
  who: Caller,
  id: string,
  messageId: string,
  rated: { rating: 'up' | 'down'; comment: string | null },
): Promise<MessageRow> {
  const row = await message(ctx, who, id, messageId)
  if (row.role !== 'assistant') invalid('message', 'is not a reply, and feedback is for replies')
  const feedback = { ...rated, created_at: timestamp(ctx.now()) }
  await ctx.commits.commit([changeMessage(ctx, row, { feedback })])
  return { ...row, feedback }
}

/** The question and the reply that a message belongs to. */
export async function exchangeAround(
  ctx: Context,
  who: Caller,
  id: string,
  messageId: string,
): Promise<{ question: MessageRow | undefined; reply: MessageRow | undefined }> {
  const one = await message(ctx, who, id, messageId)
  const other = await neighbour(ctx.db, who.workspace, one)
  return one.role === 'user' ? { question: one, reply: other } : { question: other, reply: one }
}
