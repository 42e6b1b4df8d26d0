import { withoutAudit } from '../../../kernel/audit.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import type { IdempotencyKey } from '../../../kernel/http/idempotency-store.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { maxAttachments } from '../../conversations/files/service.ts'
import { storePast, storeToolCalls } from '../../conversations/past.ts'
import { type Continued, earlierConversation, type Preparation, send } from '../../conversations/send.ts'
import { busy, type ConversationRow, conversations } from '../../conversations/service.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { findPersonId } from '../service.ts'
import { storeFiles } from './files.ts'
import { messageFormat, outputFor } from './format.ts'
import { hasCallerTools, rejectUnsupported, requestRecord, withRequest } from './parameters.ts'
import { removePendingStatement } from './pending.ts'
import { type Plan, planResponse, withOutput } from './plan.ts'
import { findRecord, insertWaitingResponse, type ResponseRequest, saveRequest, toResponseId } from './record.ts'
import type { ResponseBody } from './schema.ts'
import { runUnstoredResponse, type Started } from './unstored.ts'

interface Options {
  key: IdempotencyKey | null
  /** Stops a response that is not stored. */
  signal: AbortSignal
  /** Where this service is reached. */
  origin: string
}

export async function startResponse(ctx: Context, who: Caller, body: ResponseBody, options: Options): Promise<Started> {
  rejectUnsupported(body)
  const plan = await planResponse(ctx, who, body, options.origin)
  const format = await messageFormat(ctx, who, body.text?.format)
  const output = outputFor(ctx, who, body.text?.format, format)
  const { files } = plan.input
  if (files.length > maxAttachments) invalid('input', `has more than ${maxAttachments} files`)
  if (body.store === false) return runUnstoredResponse(ctx, who, body, plan, { output, signal: options.signal })
  const again = plan.conversation ? undefined : await earlierConversation(ctx, who, options.key)
  const place: Place = again ? { id: again, isNew: false } : await placeFor(ctx, withoutAudit(who), body, plan)
  let request: ResponseRequest | undefined
  try {
    const attachments = await storeFiles(ctx, withoutAudit(who), files, options.signal)
    const source = await send(ctx, who, place.id, plan.text, {
      format,
      attachments,
      hasCallerTools: hasCallerTools(body),
      key: options.key,
      ...('parent' in place && { parent: place.parent, continued: place.continued }),
      adapt(preparation) {
        const asked = { ...withRequest(preparation.run, body, plan, who.role), ...output }
        // A turn that waits is resumed without the tools of this request.
        const run = { ...asked, canPause: (asked.callerTools ?? []).length === 0 }
        request = requestRecord(body, plan, run)
        return {
          ...preparation,
          ...responseStatements(ctx, preparation, plan, { request, continued: place.continued }),
          run,
        }
      },
    })
    return { source, request: request ?? (await requireRecord(ctx, source.row)) }
  } catch (error) {
    if (place.isNew) await conversations.remove(ctx, withoutAudit(who), place.id).catch(() => {}) // a refusal leaves no trace
    throw error
  }
}

/** The stored request of a response that an earlier request with the same idempotency key started. */
const requireRecord = async (ctx: Context, row: MessageRow): Promise<ResponseRequest> =>
  (await findRecord(ctx, row)) ?? notFound('response', toResponseId(row.id))

/** Statements for the transactions that start the turn and, if it hands calls over, end it. */
function responseStatements(
  ctx: Context,
  { question, reply, extraStatements }: Preparation,
  { previous, conversation, pending, text, input }: Plan,
  { request, continued }: { request: ResponseRequest; continued: Continued | undefined },
): Pick<Preparation, 'extraStatements' | 'onHandedOver'> {
  const results: Statement[] = []
  if (previous && conversation && input.outputs.size > 0) {
    const tool_calls = previous.row.tool_calls.map((call) => withOutput(call, input.outputs))
    results.push(storeToolCalls(ctx, previous.row, tool_calls))
  }
  if (pending) results.push(removePendingStatement(ctx, reply.workspace_id, pending.id))
  // Results alone: if the model calls again, it goes on from the same question.
  const pendingResults = text === '' ? continued : undefined
  const after = pendingResults?.after ?? question?.id ?? reply.parent_id
  return {
    extraStatements: [...extraStatements, ...results, saveRequest(ctx, reply, request)],
    onHandedOver: ({ messages, ...handedOver }) => [
      insertWaitingResponse(ctx, reply, {
        ...handedOver,
        after,
        messages: [...(pendingResults?.messages ?? []), ...messages],
      }),
    ],
  }
}

interface Place {
  id: string
  isNew: boolean
  parent?: string | null | undefined
  continued?: Continued | undefined
}

/** The conversation of a response: the one that it goes on with, or a new one with the messages that the client sent. */
async function placeFor(ctx: Context, who: Caller, body: ResponseBody, plan: Plan): Promise<Place> {
  const { conversation, previous, continued } = plan
  if (conversation) {
    const after = previous?.record?.waiting?.after
    return {
      id: conversation.id,
      isNew: false,
      parent: previous && !body.conversation ? previous.row.id : conversation.last_message_id,
      continued: after !== undefined && continued.length > 0 ? { after, messages: continued } : undefined,
    }
  }
  const { pending } = plan
  const fields = {
    agent_id: plan.agentId,
    user_id: pending?.user_id ?? findPersonId(who, body),
    title: null,
    metadata: pending?.metadata ?? {},
  }
  const { id } = await createOnce(ctx, who, fields, pending?.id)
  if (plan.earlier.length === 0) return { id, isNew: true, parent: null }
  return withEarlier(ctx, await conversations.get(ctx, who, id), plan)
}

/** Two first responses in the same conversation could start at once. */
async function createOnce(ctx: Context, who: Caller, fields: object, id: string | undefined) {
  try {
    return await conversations.create(ctx, who, fields, undefined, id)
  } catch (error) {
    const isTaken = id !== undefined && (await conversations.table.find(ctx.db, who.workspace, id)) !== undefined
    throw isTaken ? busy() : error
  }
}

/** Stores what the client sent as the beginning of the conversation. */
async function withEarlier(ctx: Context, created: ConversationRow, { earlier, kept, continued }: Plan): Promise<Place> {
  const ids = await storePast(ctx, created, earlier)
  const after = ids[kept - 1] ?? ''
  const pendingResults = continued.length > 0 ? { after, messages: continued } : undefined
  return { id: created.id, isNew: true, parent: ids.at(-1) ?? null, continued: pendingResults }
}
