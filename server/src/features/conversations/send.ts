import type { Grants } from '../../kernel/agent/agent-tool.ts'
import { withGrants } from '../../kernel/agent/grants.ts'
import { withoutAudit } from '../../kernel/audit.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { type ErrorCode, errorCatalogue, invalid, Problem } from '../../kernel/errors.ts'
import { inProgress, isTemporary } from '../../kernel/http/idempotency.ts'
import { type IdempotencyKey, recordStarted } from '../../kernel/http/idempotency-store.ts'
import { Conflict } from '../../kernel/store/commits.ts'
import { checkResponseFormat, type ResponseFormat } from '../agents/response-format.ts'
import type { AgentRow } from '../agents/service.ts'
import { type ReplySource, replay } from '../runs/events.ts'
import type { MessageRow } from '../runs/reply.ts'
import type { Run } from '../runs/run.ts'
import { bindingFrom } from './binding.ts'
import { withVersions } from './branches.ts'
import { attachedFiles } from './files/attachments.ts'
import { maskFor } from './hidden.ts'
import { conversationTools } from './memory/turn-memory.ts'
import { busy, conversations, message } from './service.ts'
import { type ConversationRow, findMessage } from './store.ts'
import { ConversationSink, turnPurpose } from './turn/conversation-sink.ts'
import { type Continued, type Preparation, prepareRegeneration, prepareTurn } from './turn/prepare.ts'
import { cancelWaiting } from './waiting/waiting-replies.ts'

export type { Continued, Preparation } from './turn/prepare.ts'

interface SendOptions {
  /** If false, calls that need approval are refused. */
  canPause?: boolean
  /** Tools that need no approval in this turn. */
  grants?: Grants | undefined
  /** The agent as it was when an evaluation started. */
  pinned?: AgentRow | null
  /** The reply that the message follows. Null starts a new branch; by default it is the last reply. */
  parent?: string | null | undefined
  /** The files attached to the message. */
  attachments?: readonly { file_id: string }[]
  /** The required format of the reply. By default it is the agent's. */
  format?: ResponseFormat | null | undefined
  /** Sent after the history, before the text. */
  continued?: Continued | undefined
  hasCallerTools?: boolean | undefined
  /** Changes the turn before it is stored. */
  adapt?(preparation: Preparation): Preparation
  /** Identifies the request, so that a repetition of it does not call the model again. */
  key?: IdempotencyKey | null
}

export async function send(
  ctx: Context,
  who: Caller,
  id: string,
  text: string,
  { canPause = true, pinned = null, key = null, adapt = unchanged, grants, ...options }: SendOptions = {},
): Promise<ReplySource> {
  const conversation = await conversations.get(ctx, who, id)
  const earlier = await earlierReply(ctx, who, id, key)
  if (earlier) return answerRepeated(ctx, who, conversation, earlier, { canPause, key, adapt })
  refuseIfTaken(conversation)
  ctx.people.seen(who.workspace, conversation.user_id)
  await checkResponseFormat(ctx, who, options.format)
  const question = { ...options, text, pinned, format: options.format ?? null }
  const preparation = await prepareTurn(ctx, who, ctx.state.conversations.histories, conversation, question)
  const { run } = preparation
  const granted = grants && { grants, tools: withGrants(run.tools, grants) }
  return start(ctx, who, adapt({ ...preparation, run: { ...run, canPause, ...granted } }), key)
}

const unchanged = (preparation: Preparation): Preparation => preparation

export async function regenerate(
  ctx: Context,
  who: Caller,
  id: string,
  messageId: string,
  key: IdempotencyKey | null = null,
): Promise<ReplySource> {
  let conversation = await conversations.get(ctx, who, id)
  const options: ReplyOptions = { canPause: true, key, adapt: unchanged }
  const earlier = await earlierReply(ctx, who, id, key)
  if (earlier) return answerRepeated(ctx, who, conversation, earlier, options)
  // A reply that waits for approval is cancelled for the new one.
  if (conversation.running_message_id === messageId && (await cancelWaiting(ctx, withoutAudit(who), id, messageId))) {
    conversation = await conversations.get(ctx, who, id)
  }
  refuseIfTaken(conversation)
  const replaced = await message(ctx, who, id, messageId)
  if (replaced.role !== 'assistant' || replaced.id !== conversation.last_message_id) {
    invalid('message', 'is not the last reply of the conversation, and only that can be regenerated')
  }
  return replyAgain(ctx, who, conversation, replaced, options)
}

type ReplyOptions = Required<Pick<SendOptions, 'canPause' | 'key' | 'adapt'>>

/** Answers a repeated request with the reply it started, or with a new one if that was interrupted. */
async function answerRepeated(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  earlier: MessageRow,
  options: ReplyOptions,
): Promise<ReplySource> {
  const isLast = earlier.id === conversation.last_message_id
  if (canBeRepeated(earlier)) refuseIfTaken(conversation)
  if (canBeRepeated(earlier) && isLast) return replyAgain(ctx, who, conversation, earlier, options)
  const mask = await maskFor(ctx, who, conversation)
  return replay(mask(earlier))
}

async function replyAgain(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  replaced: MessageRow,
  { canPause, key, adapt }: ReplyOptions,
): Promise<Run> {
  const preparation = await prepareRegeneration(ctx, who, ctx.state.conversations.histories, conversation, replaced)
  return start(ctx, who, adapt({ ...preparation, run: { ...preparation.run, canPause } }), key)
}

async function start(ctx: Context, who: Caller, preparation: Preparation, key: IdempotencyKey | null): Promise<Run> {
  if (key) preparation.extraStatements.push(recordStarted(ctx, key, preparation.reply.id))
  const sink = new ConversationSink(ctx, who, preparation)
  try {
    return await ctx.state.runs.start(who, {
      ...preparation,
      purpose: turnPurpose(preparation),
      variables: preparation.conversation.variables,
      binding: bindingFrom(preparation.conversation),
      conversationTools: (agent) => conversationTools(ctx, who, preparation.conversation, agent),
      sink,
    })
  } catch (error) {
    await refuseLostFiles(ctx, who, preparation)
    if (!(error instanceof Conflict)) throw error
    refuseIfTaken(await conversations.get(ctx, who, preparation.conversation.id)) // another turn was first: throw the error that applies now
    throw busy()
  }
}

/** Throws if a file was deleted meanwhile. */
async function refuseLostFiles(ctx: Context, who: Caller, { question }: Preparation): Promise<void> {
  if (question && question.attachments.length > 0) await attachedFiles(ctx, who, question.attachments)
}

function refuseIfTaken(conversation: ConversationRow): void {
  if (conversation.status === 'completed') {
    throw new Problem('conversation_completed', 'This conversation is completed. Start a new one.')
  }
  if (conversation.running_message_id !== null) throw busy()
}

/** The reply that an earlier request with the same idempotency key started. Fails while it is still running. */
async function earlierReply(
  ctx: Context,
  who: Caller,
  conversation: string,
  key: IdempotencyKey | null,
): Promise<MessageRow | undefined> {
  if (!key?.startedBefore) return undefined
  const row = await findMessage(ctx.db, who.workspace, conversation, key.startedBefore)
  if (row?.status === 'running') throw inProgress()
  return row && (await withVersions(ctx.db, [row]))[0]
}

/** Whether a repeated request gets a new reply, because this one was interrupted or failed temporarily. */
export const canBeRepeated = ({ status, code }: Pick<MessageRow, 'status' | 'code'>): boolean =>
  status === 'interrupted' ||
  (status === 'failed' && isTemporary(errorCatalogue[(code ?? 'internal_error') as ErrorCode][0]))

/** The conversation in which an earlier request with the same idempotency key has started a reply. */
export async function earlierConversation(
  { db }: Context,
  who: Caller,
  key: IdempotencyKey | null,
): Promise<string | undefined> {
  if (!key?.startedBefore) return undefined
  const row = await db
    .selectFrom('message')
    .select('conversation_id')
    .where('workspace_id', '=', who.workspace)
    .where('id', '=', key.startedBefore)
    .executeTakeFirst()
  return row?.conversation_id
}
