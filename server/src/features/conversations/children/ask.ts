import { isWaiting } from '../../../kernel/agent/needs.ts'
import type { CallPurpose } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { seesImages } from '../../models/service.ts'
import { ended } from '../../runs/events.ts'
import { isImage } from '../../runs/history.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { Attachment } from '../../runs/schema.ts'
import { loadAgent } from '../../runs/setup.ts'
import { bindingFrom } from '../binding.ts'
import { conversations } from '../conversations.ts'
import { isOwn } from '../files/service.ts'
import { findFiles } from '../files/store.ts'
import { send } from '../send.ts'
import { findMessage } from '../store.ts'
import { cancelWaiting } from '../waiting/waiting-replies.ts'

interface Asked {
  conversationId: string
  /** Set if the call has waited: this is the reply that it waited for. */
  messageId?: string
  message: string
  purpose: CallPurpose
  signal: AbortSignal
}

/** Asks the agent of a conversation, or follows the reply that was asked for before. Returns it when it has ended or waits. */
export async function askInConversation(ctx: Context, who: Caller, asked: Asked): Promise<MessageRow> {
  const { conversationId, messageId, signal } = asked
  if (messageId !== undefined) return follow(ctx, who, conversationId, messageId, signal)
  signal.throwIfAborted()
  const attachments = await attachmentsFor(ctx, who, asked)
  const { canPause = false, grants } = asked.purpose
  const run = await send(ctx, who, conversationId, asked.message, { canPause, attachments, grants })
  return stopWith(ctx, who, run as Run, signal)
}

async function follow(
  ctx: Context,
  who: Caller,
  conversationId: string,
  messageId: string,
  signal: AbortSignal,
): Promise<MessageRow> {
  const find = () => findMessage(ctx.db, who.workspace, conversationId, messageId)
  const live = ctx.state.runs.find(messageId)
  if (live) return stopWith(ctx, who, live, signal)
  const row = (await find()) ?? notFound('message', messageId)
  if (row.status !== 'running') return row
  await Promise.race([ended(ctx.state.conversations.remote.follow(row)), aborted(signal)])
  return (await find()) ?? notFound('message', messageId)
}

/** Resolves with the reply when it has ended or waits. `signal` stops it together with the reply that asked. */
async function stopWith(ctx: Context, who: Caller, run: Run, signal: AbortSignal): Promise<MessageRow> {
  const stop = () => run.stop(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const row = await run.finished
  signal.removeEventListener('abort', stop)
  if (signal.aborted && isWaiting(row.status)) await cancelWaiting(ctx, who, row.conversation_id, row.id)
  signal.throwIfAborted()
  return row
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const maxAttachments = 10

/** The newest files of the conversation that asks, except images that the other agent's model cannot see. */
async function attachmentsFor(
  ctx: Context,
  who: Caller,
  { conversationId, purpose }: Asked,
): Promise<{ file_id: string }[]> {
  const rows = await ctx.db
    .selectFrom('message')
    .select('attachments')
    .where('workspace_id', '=', who.workspace)
    .where('conversation_id', '=', purpose.conversationId ?? '')
    .where('superseded', '=', false)
    .where('attachments', '!=', '[]')
    .orderBy('id', 'desc')
    .limit(maxAttachments)
    .execute()
  if (rows.length === 0) return []
  const attached = rows.flatMap(({ attachments }) => JSON.parse(attachments) as Attachment[])
  const conversation = await conversations.get(ctx, who, conversationId)
  const { model } = await loadAgent(ctx, who, conversation.agent_id, { binding: bindingFrom(conversation) })
  const files = await findFiles(ctx.db, who.workspace, [...new Set(attached.map(({ file_id }) => file_id))])
  const usable = attached.filter((file, at) => {
    const row = files.get(file.file_id)
    const isFirst = attached.findIndex(({ file_id }) => file_id === file.file_id) === at
    return isFirst && row && isOwn(who, row) && (!isImage(file) || seesImages(model))
  })
  return usable.slice(0, maxAttachments).map(({ file_id }) => ({ file_id }))
}
