import type { Context } from '../../kernel/context.ts'
import { modelErrors } from '../../kernel/errors.ts'
import type { App, Reply, Request } from '../../kernel/http/app.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { eventStream } from '../../kernel/http/media-types.ts'
import { ReplyEvent } from '../runs/event-schema.ts'
import { present } from '../runs/events.ts'
import { Message } from '../runs/schema.ts'
import { InputBody } from './input.ts'
import {
  ByMessage,
  ConversationWithMessages,
  FeedbackBody,
  ProtocolQuery,
  RegenerateBody,
  SendBody,
  StreamQuery,
} from './schema.ts'
import { regenerate, send } from './send.ts'
import * as service from './service.ts'
import { answer, encoderFor, storeEvents } from './streaming/answer.ts'
import { sendEvents } from './streaming/send-events.ts'
import { readTrace, Trace } from './trace.ts'
import { presentConversation } from './variables.ts'
import { DecideCallBody } from './waiting/schema.ts'

const turnErrors = [
  'unsupported_input',
  ...modelErrors,
  'conversation_busy',
  'conversation_completed',
  'unknown_reference',
  'output_invalid',
  'turn_timeout',
] as const
const tags = ['Conversations']
const config = { may: 'converse' } as const
const streamNote =
  'With `stream: true` the answer is `text/event-stream`: `message.started`, `text.delta`, `tool.started`, `tool.finished`, `approval.required`, and one of `message.completed`, `message.failed`, `message.cancelled`. A reply that waits for approval has status `awaiting_approval`, and its stream ends after `approval.required` of every call it waits for; likewise `awaiting_connection` and `connection.required`, `awaiting_input` and `input.required`. A disconnect does not cancel.'

const approvalNote =
  'Decides a tool call of a reply with status `awaiting_approval`. When every call it waits for is decided, the turn goes on, and the answer is the reply once it is whole (or waits again); before that, the message as it is. With `stream: true` the answer is the rest of the events, numbered on from `approval.required`. The same decision again changes nothing and answers with the message as it is; the opposite one is 409. A caller who may not decide gets 403 with the names of those who may.'

const inputNote =
  'Answers the question that a reply with status `awaiting_input` waits for. The tool is called again with the answer, and the answer of this request is the reply once it is whole (or waits again). A form that does not follow its schema is 400, with the fields in `details`.'

const streamed = {
  content: eventStream(ReplyEvent, { type: 'text.delta', sequence: 2, delta: 'Hello' }),
  responseHeaders: { 'X-Vercel-AI-UI-Message-Stream': '`v1` with `protocol=ai-sdk`.' },
}

export function messageRoutes(app: App, ctx: Context): void {
  app.post(
    '/conversations/:id/messages',
    {
      config,
      schema: {
        tags,
        summary: 'Send a message and get the reply',
        description: streamNote,
        params: ById,
        querystring: ProtocolQuery,
        body: SendBody,
        response: { 200: Ok(Message) },
        ...streamed,
        errors: turnErrors,
      },
    },
    async (request, reply) => {
      const { message, attachments, stream = false, parent_message_id: parent, response_format: format } = request.body
      const source = await send(ctx, request.caller, request.params.id, message, {
        key: request.idempotencyKey,
        parent,
        format,
        ...(attachments && { attachments }),
      })
      return answer(request, reply, source, { stream, protocol: request.query.protocol })
    },
  )

  app.get(
    '/conversations/:id/messages/:message/stream',
    {
      config,
      schema: {
        tags,
        summary: 'Follow a reply, or see it streamed again',
        description: 'Starts after the event named by `Last-Event-ID` or `after`; any number of clients can follow.',
        params: ByMessage,
        querystring: StreamQuery,
        requestHeaders: { 'Last-Event-ID': 'Only events after this number.' },
        ...streamed,
      },
    },
    async (request, reply) => {
      const source = await service.follow(ctx, request.caller, request.params.id, request.params.message)
      const last = Number(request.headers['last-event-id'])
      const after = request.query.protocol
        ? 0
        : Number.isSafeInteger(last) && last > 0
          ? last
          : (request.query.after ?? 0)
      sendEvents(reply, source, encoderFor(request.query.protocol), after)
      return reply
    },
  )

  app.get(
    '/conversations/:id/messages/:message/trace',
    {
      config,
      schema: {
        tags,
        summary: 'Get the steps of a reply',
        description:
          'Shows the steps of the turn and how long each took: model calls with their tokens and cost, tool calls, searches, and waits for approval. A reply that is being written shows its steps so far.',
        params: ByMessage,
        response: { 200: Ok(Trace) },
      },
    },
    async (request) => ok(await readTrace(ctx, request.caller, request.params.id, request.params.message)),
  )

  app.post(
    '/conversations/:id/messages/:message/cancel',
    { config, schema: { tags, summary: 'Stop a reply', params: ByMessage, response: { 200: Ok(Message) } } },
    async (request) =>
      ok(present(await service.cancel(ctx, request.caller, request.params.id, request.params.message))),
  )

  app.post(
    '/conversations/:id/messages/:message/regenerate',
    {
      config,
      schema: {
        tags,
        summary: 'Get another reply in place of the last one',
        description: `The last one stays as an earlier version. ${streamNote}`,
        params: ByMessage,
        querystring: ProtocolQuery,
        body: RegenerateBody,
        response: { 200: Ok(Message) },
        ...streamed,
        errors: turnErrors,
      },
    },
    async (request, reply) => {
      const { id, message } = request.params
      const stream = request.body?.stream ?? false
      const source = await regenerate(ctx, request.caller, id, message, request.idempotencyKey)
      return answer(request, reply, source, { stream, protocol: request.query.protocol })
    },
  )

  app.post(
    '/conversations/:id/messages/:message/activate',
    {
      config,
      schema: {
        tags,
        summary: 'Switch to another version of a message',
        description:
          'Makes the branch of the message the active one: the messages before it, and after it the newest ones. Lists, GET and the next message to the agent use the active branch. Answers with the conversation.',
        params: ByMessage,
        response: { 200: Ok(ConversationWithMessages) },
        errors: ['conversation_busy'],
      },
    },
    async (request) => {
      const { id, message } = request.params
      const { messages, ...conversation } = await service.activate(ctx, request.caller, id, message)
      return ok({ ...presentConversation(conversation, request.caller), messages: messages.map(present) })
    },
  )

  waitRoutes(app, ctx)

  app.post(
    '/conversations/:id/messages/:message/feedback',
    {
      config,
      schema: {
        tags,
        summary: 'Say whether a reply was good',
        params: ByMessage,
        body: FeedbackBody,
        response: { 200: Ok(Message) },
      },
    },
    async (request) => {
      const { id, message } = request.params
      return ok(present(await service.giveFeedback(ctx, request.caller, id, message, request.body)))
    },
  )
}

/** People settle the calls that a reply waits for. */
function waitRoutes(app: App, ctx: Context): void {
  app.post(
    '/conversations/:id/messages/:message/approvals',
    {
      config,
      schema: {
        tags,
        summary: 'Approve or refuse a tool call',
        description: approvalNote,
        params: ByMessage,
        querystring: ProtocolQuery,
        body: DecideCallBody,
        response: { 200: Ok(Message) },
        ...streamed,
        errors: ['forbidden', 'already_running', 'unknown_reference', 'provider_error', 'provider_timeout'],
      },
    },
    async (request, reply) => {
      const { id, message } = request.params
      const { stream, ...decision } = request.body
      const { protocol } = request.query
      const settled = await service.decideCall(ctx, request.caller, id, message, decision)
      return answerSettled(request, reply, settled, { stream, protocol })
    },
  )

  app.post(
    '/conversations/:id/messages/:message/input',
    {
      config,
      schema: {
        tags,
        summary: 'Answer the question of a tool',
        description: inputNote,
        params: ByMessage,
        querystring: ProtocolQuery,
        body: InputBody,
        response: { 200: Ok(Message) },
        ...streamed,
        errors: ['already_running', 'unknown_reference', 'conversation_busy', 'provider_error', 'provider_timeout'],
      },
    },
    async (request, reply) => {
      const { id, message } = request.params
      const { stream, ...input } = request.body
      const { protocol } = request.query
      const settled = await service.answerCall(ctx, request.caller, id, message, input)
      return answerSettled(request, reply, settled, { stream, protocol })
    },
  )
}

/** Answers with the reply that goes on, or with the message as it is if it still waits. */
function answerSettled(
  request: Request,
  reply: Reply,
  { run, row, source, after }: service.Decided,
  { stream, protocol }: { stream: boolean; protocol: 'ai-sdk' | undefined },
) {
  if (run) return answer(request, reply, run, { stream, protocol, after })
  if (!stream) return ok(present(row))
  sendEvents(reply, source, encoderFor(protocol), after)
  storeEvents(request, source, protocol, after)
  return reply
}
