import { type Static, Type } from 'typebox'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound, Problem } from '../../kernel/errors.ts'
import { Choice } from '../../kernel/schema.ts'
import { timestamp } from '../../kernel/time.ts'
import type { MessageRow } from '../runs/reply.ts'
import type { Run } from '../runs/run.ts'
import type { StoredToolCall } from '../runs/schema.ts'
import { settleNeed } from './approvals/needs.ts'
import { conversations } from './conversations.ts'
import { type ConversationRow, findMessage } from './store.ts'
import { deciderName } from './waiting/approvals.ts'

export const InputBody = Type.Object(
  {
    tool_call_id: Type.String({ minLength: 1, maxLength: 500, description: 'The call, as `input.required` names it.' }),
    action: Choice(['accept', 'decline', 'cancel'], {
      description:
        '`accept` sends the form, or says that the page was opened. `decline` and `cancel` tell the tool so.',
    }),
    content: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'With `accept` of a form: its fields, as the schema says.',
      }),
    ),
    stream: Type.Boolean({ default: false, description: 'Answer with Server-Sent Events.' }),
  },
  {
    additionalProperties: false,
    title: 'AnswerToolCall',
    required: ['tool_call_id', 'action'],
    examples: [{ tool_call_id: 'call_abc', action: 'accept', content: { calendar: 'work' } }],
  },
)
export type Input = Omit<Static<typeof InputBody>, 'stream'>

/** Answers the question of a tool. Returns the run if the reply goes on, else the message as it is. */
export async function answerInput(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  messageId: string,
  input: Input,
): Promise<Run | MessageRow> {
  const { tool_call_id, action, content } = input
  const row = await findMessage(ctx.db, conversation.workspace_id, conversation.id, messageId)
  const call = row?.tool_calls.find(({ id }) => id === tool_call_id)
  if (call?.conversation_id !== undefined) return answerChild(ctx, who, conversation, messageId, call, input)
  const question = call?.inputs?.at(-1)
  if (call?.status !== 'awaiting_input' || !question) return notAsked(call)
  await checkContent(ctx, conversation.workspace_id, question.schema, input)
  const answer = {
    action,
    answered_by: deciderName(who),
    answered_at: timestamp(ctx.now()),
    ...(content && { content }),
  }
  const apply = (asked: StoredToolCall) => void Object.assign(asked.inputs?.at(-1) ?? {}, answer)
  return settleNeed(ctx, who, conversation, messageId, {
    toolCallId: tool_call_id,
    apply,
    action: `${action} input of`,
  })
}

function notAsked(call: StoredToolCall | undefined): never {
  if (call?.inputs?.some(({ action }) => action !== null))
    throw new Problem('already_running', 'This question was answered already. An answer cannot be changed.')
  return invalid('tool_call_id', 'names a call that does not ask anything')
}

/** Refuses a form that does not follow the schema of the question. */
async function checkContent(
  ctx: Context,
  workspace: string,
  schema: Record<string, unknown> | undefined,
  { action, content }: Input,
): Promise<void> {
  if (action !== 'accept' || schema === undefined) {
    if (content !== undefined) invalid('content', 'is only for accepting a form')
    return
  }
  const closed = { additionalProperties: false, ...schema, type: 'object' }
  const { faults, undeclared } = await ctx.state['api-tools'].sandbox.validate(
    JSON.stringify(closed),
    JSON.stringify(content ?? {}),
    { workspace },
  )
  const details = [
    ...faults.map(({ path, message }) => ({ path: path === '' ? 'content' : `content.${path}`, message })),
    ...undeclared.map((name) => ({ path: `content.${name}`, message: 'is not a field of the form' })),
  ]
  if (details.length === 0) return
  throw new Problem('invalid_request', details.map(({ path, message }) => `${path} ${message}`).join('; '), { details })
}

/** The agent that answers the call was asked, and this reply goes on with it. */
async function answerChild(
  ctx: Context,
  who: Caller,
  { id, workspace_id }: ConversationRow,
  messageId: string,
  call: StoredToolCall,
  input: Input,
): Promise<Run | MessageRow> {
  const child = await conversations.table.find(ctx.db, workspace_id, call.conversation_id ?? '')
  const reply = child && (await findMessage(ctx.db, workspace_id, child.id, child.running_message_id ?? ''))
  const asked = reply?.tool_calls.find(({ status }) => status === 'awaiting_input')
  if (!child || !reply || !asked) return notAsked(call)
  await answerInput(ctx, who, child, reply.id, { ...input, tool_call_id: asked.id })
  const row = await findMessage(ctx.db, workspace_id, id, messageId)
  return ctx.state.runs.find(messageId) ?? row ?? notFound('message', messageId)
}
