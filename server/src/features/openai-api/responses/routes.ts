import type { Context } from '../../../kernel/context.ts'
import { modelErrors } from '../../../kernel/errors.ts'
import { type App, mebibyte, type Request } from '../../../kernel/http/app.ts'
import { disconnectSignal } from '../../../kernel/http/disconnect-signal.ts'
import { ById } from '../../../kernel/http/envelope.ts'
import { eventStreamHeaders } from '../../../kernel/http/event-stream.ts'
import { eventStream } from '../../../kernel/http/media-types.ts'
import { canBeRepeated } from '../../conversations/send.ts'
import { eventText, sendEvents } from '../../conversations/streaming/send-events.ts'
import { failedReply } from '../../runs/ending.ts'
import { ended } from '../../runs/events.ts'
import { startResponse } from './create.ts'
import { type Replied, responseEncoder, toResponse } from './response.ts'
import {
  DeletedResponse,
  GetQuery,
  InputItems,
  InputItemsQuery,
  Response,
  ResponseBody,
  ResponseEvent,
} from './schema.ts'
import { cancelResponse, deleteResponse, followResponse, inputItems } from './service.ts'

const tags = ['OpenAI-compatible API']
const config = { may: 'converse' } as const
const streamed = eventStream(ResponseEvent, {
  type: 'response.output_text.delta',
  sequence_number: 4,
  item_id: 'msg_01k9z8q4m6e3v7t2w5x8y1a4bc_0',
  output_index: 0,
  content_index: 0,
  delta: 'Hello',
  logprobs: [],
})
const requestOrigin = ({ protocol, host }: Request): string => `${protocol}://${host}`

export function responseRoutes(app: App, ctx: Context): void {
  app.post(
    '/openai/v1/responses',
    {
      config,
      bodyLimit: 16 * mebibyte,
      schema: {
        tags,
        summary: 'Create a response with an agent',
        description:
          "OpenAI's Responses API. The response is a reply in a conversation, which `previous_response_id` or `conversation` continue. With `stream: true` the answer is a stream of events. A disconnect does not stop a response that is stored. What an agent cannot do is rejected by name.",
        body: ResponseBody,
        response: { 200: Response },
        content: streamed,
        errors: [
          'not_found',
          'unknown_reference',
          'conversation_busy',
          'conversation_completed',
          ...modelErrors,
          'output_invalid',
          'turn_timeout',
        ],
      },
    },
    async (request, reply) => {
      const { body, caller, idempotencyKey: key } = request
      const origin = requestOrigin(request)
      const started = await startResponse(ctx, caller, body, { key, signal: disconnectSignal(reply), origin })
      const replied = { ...started, origin }
      const { source } = started
      if (body.stream) {
        sendEvents(reply, source, responseEncoder(replied))
        storeStream(request, replied)
        return reply
      }
      if (body.background) return toResponse(replied)
      const row = await source.finished
      if (row.status === 'failed' || row.status === 'interrupted') {
        throw failedReply(source, row.details ?? undefined)
      }
      return toResponse(replied)
    },
  )

  app.get(
    '/openai/v1/responses/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Get a response',
        description: 'With `stream=true` its events from the beginning, or after `starting_after`, up to its end.',
        params: ById,
        querystring: GetQuery,
        response: { 200: Response },
        content: streamed,
      },
    },
    async (request, reply) => {
      const followed = await followResponse(ctx, request.caller, request.params.id)
      const replied = { ...followed, origin: requestOrigin(request) }
      const { stream, starting_after: after } = request.query
      if (!stream) return toResponse(replied)
      sendEvents(reply, replied.source, responseEncoder(replied, after))
      return reply
    },
  )

  app.delete(
    '/openai/v1/responses/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a response',
        description:
          'Removes the texts of the response and of its input. A conversation that has nothing else is deleted.',
        params: ById,
        response: { 200: DeletedResponse },
        errors: ['conversation_busy'],
      },
    },
    async (request) => {
      const { id } = request.params
      await deleteResponse(ctx, request.caller, id)
      return { id, object: 'response' as const, deleted: true }
    },
  )

  app.post(
    '/openai/v1/responses/:id/cancel',
    {
      config,
      schema: {
        tags,
        summary: 'Cancel a response',
        description: 'One that has ended stays as it is.',
        params: ById,
        response: { 200: Response },
      },
    },
    async (request) => {
      const cancelled = await cancelResponse(ctx, request.caller, request.params.id)
      return toResponse({ ...cancelled, origin: requestOrigin(request) })
    },
  )

  app.get(
    '/openai/v1/responses/:id/input_items',
    {
      config,
      schema: {
        tags,
        summary: 'List the input of a response',
        params: ById,
        querystring: InputItemsQuery,
        response: { 200: InputItems },
      },
    },
    async (request) => inputItems(ctx, request.caller, request.params.id, request.query),
  )
}

/** A repeated request gets the same stream again. */
function storeStream(request: Request, replied: Replied): void {
  if (request.idempotencyKey === null) return
  const response = async () => {
    await ended(replied.source)
    if (canBeRepeated(replied.source.row)) return null
    return { status: 200, headers: eventStreamHeaders, body: eventText(replied.source, responseEncoder(replied)) }
  }
  void request.storeResponse(response())
}
