import { withoutAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Conflict } from '../../kernel/store/commits.ts'
import type { Page } from '../../kernel/store/list.ts'
import { statement } from '../../kernel/store/statement.ts'
import { timestamp } from '../../kernel/time.ts'
import {
  type EventSource,
  ended,
  eventsUntilDecision,
  isOver,
  type MessageSource,
  type ReplySource,
  replay,
} from '../runs/events.ts'
import type { MessageRow } from '../runs/reply.ts'
import { Run } from '../runs/run.ts'
import { type Decision, decide } from './approvals/decide.ts'
import { activation, branchNodes, branchThrough, withVersions } from './branches.ts'
import { busy, conversations, read } from './conversations.ts'
import { maskFor } from './hidden.ts'
import { answerInput, type Input } from './input.ts'
import { withFacts } from './memory/facts.ts'
import { changeMessage, updateMessage } from './message-row.ts'
import {
  type ConversationRow,
  findMessage,
  lastMessages,
  neighbour,
  type Paging,
  pageOfBranch,
  pageOfMessages,
} from './store.ts'
import { maskSource } from './streaming/masked-source.ts'
import { cancelChannel } from './streaming/remote-turns.ts'
import { approvalTable } from './waiting/approvals.ts'
import { cancelWaiting } from './waiting/waiting-replies.ts'

export * from './conversations.ts'

const maxShownMessages = 200

export async function withMessages(ctx: Context, who: Caller, id: string) {
  const conversation = await read(ctx, who, id)
  const rows = await lastMessages(ctx.db, who.workspace, id, maxShownMessages)
  const mask = await maskFor(ctx, who, conversation)
  return {
    ...conversation,
    messages: await withVersions(ctx.db, await withFacts(ctx, who, rows.map(mask))),
  }
}

interface MessagesQuery extends Paging {
  /** A message of the branch that is read. Default: the active branch. */
  through?: string | undefined
}

export async function messages(ctx: Context, who: Caller, id: string, query: MessagesQuery): Promise<Page<MessageRow>> {
  const conversation = await read(ctx, who, id)
  const { through } = query
  const { rows, total } =
    through === undefined
      ? await pageOfMessages(ctx.db, who.workspace, id, query)
      : await pageOfBranch(ctx.db, who.workspace, id, await branchIds(ctx, who, id, through), query)
  const mask = await maskFor(ctx, who, conversation)
  const shown = await withFacts(ctx, who, rows.map(mask))
  return { rows: await withVersions(ctx.db, shown), total }
}

async function branchIds(ctx: Context, who: Caller, id: string, through: string): Promise<string[]> {
  const branch = branchThrough(await branchNodes(ctx.db, who.workspace, id), through)
  return branch.length > 0 ? branch.map((node) => node.id) : notFound('message', through)
}

export async function message(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  const conversation = await conversations.get(ctx, who, id)
  const mask = await maskFor(ctx, who, conversation)
  return mask(await factsIn(ctx, who, conversation, messageId))
}

export async function readMessage(ctx: Context, who: Caller, id: string, messageId: string): Promise<MessageRow> {
  const conversation = await read(ctx, who, id)
  const mask = await maskFor(ctx, who, conversation)
  return mask(await factsIn(ctx, who, conversation, messageId))
}

async function factsIn(ctx: Context, who: Caller, conversation: ConversationRow, id: string): Promise<MessageRow> {
  const row = await storedMessage(ctx, conversation, id)
  return (await withFacts(ctx, who, [row]))[0] ?? row
}

/** The message as it is stored. It must pass the mask for a caller before the caller sees it. */
export async function storedMessage(
  { db }: Context,
  { id, workspace_id }: ConversationRow,
  messageId: string,
): Promise<MessageRow> {
  const row = (await findMessage(db, workspace_id, id, messageId)) ?? notFound('message', messageId)
  return (await withVersions(db, [row]))[0] ?? row
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
  const conversation = await conversations.get(ctx, who, id)
  const row = await factsIn(ctx, who, conversation, messageId)
  if (row.role !== 'assistant') invalid('message', 'is not a reply, and only replies are streamed')
  const mask = await maskFor(ctx, who, conversation)
  const live = ctx.state.runs.find(messageId)
  if (live) return maskSource(live, mask)
  return maskSource(row.status === 'running' ? ctx.state.conversations.remote.follow(row) : replay(row), mask)
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
  run: ReplySource | null
  row: MessageRow
  source: EventSource
  /** The number of the last event before the turn resumed. */
  after: number
}

/** Answers the question of a tool that a reply waits for. */
export async function answerCall(
  ctx: Context,
  who: Caller,
  id: string,
  messageId: string,
  input: Input,
): Promise<Decided> {
  const conversation = await conversations.get(ctx, who, id)
  const { versions } = await message(ctx, who, id, messageId)
  const outcome = await answerInput(ctx, who, conversation, messageId, input)
  return decided(ctx, who, conversation, { outcome, versions, toolCallId: input.tool_call_id })
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
  const { versions, tool_calls } = await message(ctx, who, id, messageId)
  const call = tool_calls.find((each) => each.id === decision.tool_call_id)
  const outcome =
    call?.conversation_id !== undefined && call.approval_id !== undefined
      ? await decideForChild(ctx, who, conversation, messageId, call.approval_id, decision)
      : await decide(ctx, { who }, conversation, messageId, decision)
  return decided(ctx, who, conversation, { outcome, versions, toolCallId: decision.tool_call_id })
}

interface Outcome {
  outcome: Run | MessageRow
  versions: string[] | undefined
  toolCallId: string
}

/** The reply after a decision, as the caller sees it. */
async function decided(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  { outcome, versions, toolCallId }: Outcome,
): Promise<Decided> {
  const row = outcome instanceof Run ? outcome.row : outcome
  if (versions) row.versions = versions
  const mask = await maskFor(ctx, who, conversation)
  const shown = mask(row)
  // The events of a masked reply are others, so their numbers do not go on.
  const after = shown === row ? eventsUntilDecision(row, toolCallId) : 0
  const run = outcome instanceof Run ? maskSource(outcome, mask) : null
  return { run, row: shown, source: run ?? (await follow(ctx, who, conversation.id, row.id)), after }
}

/** Decides about a call of the agent that answers a call of this reply, which then goes on, too. */
async function decideForChild(
  ctx: Context,
  who: Caller,
  { id, workspace_id }: ConversationRow,
  messageId: string,
  approvalId: string,
  decision: Decision,
): Promise<Run | MessageRow> {
  const approval = (await approvalTable.find(ctx.db, workspace_id, approvalId)) ?? notFound('approval', approvalId)
  const child = await conversations.table.find(ctx.db, workspace_id, approval.conversation_id)
  const { tool_call_id, message_id } = approval
  await decide(ctx, { who }, child ?? notFound('approval', approvalId), message_id, { ...decision, tool_call_id })
  const row = await findMessage(ctx.db, workspace_id, id, messageId)
  return ctx.state.runs.find(messageId) ?? row ?? notFound('message', messageId)
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
  const alongside = ctx.state.conversations.onFeedback(row, rated.rating)
  await ctx.commits.commit([changeMessage(ctx, row, { feedback }), ...alongside])
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
  const mask = await maskFor(ctx, who, await conversations.get(ctx, who, id))
  const found = await neighbour(ctx.db, who.workspace, one)
  const other = found && mask(found)
  return one.role === 'user' ? { question: one, reply: other } : { question: other, reply: one }
}
