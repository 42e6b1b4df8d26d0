import { isWaiting } from '../../../kernel/agent/needs.ts'
import type { Encoder } from '../../conversations/streaming/send-events.ts'
import { isLast, type MessageSource } from '../../runs/events.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { tokenDetails } from '../token-details.ts'
import { annotationsIn } from './annotations.ts'
import { type BareEvent, Output } from './output.ts'
import { type ResponseRequest, toResponseId } from './record.ts'
import type { Response, ResponseStatus } from './schema.ts'

/** A reply with its request: what a response is made from. */
export interface Replied {
  source: MessageSource
  request: ResponseRequest
  /** Where this service is reached. */
  origin: string
}

/** The response as far as it has come. */
export function toResponse(replied: Replied): Response {
  const { source } = replied
  const output = newOutput(replied)
  for (let sequence = 1; sequence <= source.length; sequence++) output.add(source.at(sequence))
  return present(replied, output)
}

const newOutput = ({ source, request, origin }: Replied): Output =>
  new Output({
    id: source.row.id.replace(/^msg_/, ''),
    callerTools: new Set(request.echo.tools.map(({ name }) => name)),
    annotate: (text) => annotationsIn(text, source.row, origin),
    approvalsAt: `${origin}/approvals`,
    conversationAt: `${origin}/conversations/${source.row.conversation_id}`,
  })

/** Streams a response, beginning after the event of this number. The numbers are the same each time. */
export function responseEncoder(replied: Replied, startingAfter = -1): Encoder {
  const output = newOutput(replied)
  let number = 0
  const frame = (event: BareEvent): string => {
    const { type, ...data } = event
    const sequence_number = number++
    if (sequence_number <= startingAfter) return ''
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`
  }
  return {
    headers: {},
    encode(event) {
      if (event.type === 'message.started') {
        const response = started(replied, output)
        return frame({ type: 'response.created', response }) + frame({ type: 'response.in_progress', response })
      }
      const frames = output.add(event).map(frame).join('')
      if (!isLast(event)) return frames
      const response = present(replied, output)
      return frames + frame({ type: endEvents[response.status], response })
    },
    end: () => 'data: [DONE]\n\n',
  }
}

/** There is no event for a response that was cancelled. */
const endEvents: Record<ResponseStatus, string> = {
  in_progress: 'response.in_progress',
  completed: 'response.completed',
  incomplete: 'response.incomplete',
  failed: 'response.failed',
  cancelled: 'response.incomplete',
}

/** The response in its initial state, which a stream begins with even if it is replayed after the end. */
const started = (replied: Replied, output: Output): Response => ({
  ...present(replied, output),
  status: 'in_progress',
  completed_at: null,
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
})

function present({ source: { row }, request }: Replied, { items }: Output): Response {
  const status = responseStatus(row)
  const { echo } = request
  return {
    id: toResponseId(row.id),
    object: 'response',
    created_at: Math.floor(Date.parse(row.timestamp) / 1000),
    completed_at: status === 'completed' ? Math.floor(row.alive_at / 1000) : null,
    status,
    error: status === 'failed' ? { code: errorCode(row), message: row.error ?? 'The reply was interrupted.' } : null,
    incomplete_details:
      status === 'incomplete'
        ? { reason: row.finish_reason === 'content_filter' ? 'content_filter' : 'max_output_tokens' }
        : null,
    conversation: echo.store ? { id: row.conversation_id } : null,
    output: structuredClone(items),
    usage: toUsage(row),
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    max_tool_calls: null,
    truncation: 'auto',
    service_tier: 'default',
    ...echo,
  }
}

function responseStatus({ status, finish_reason }: MessageRow): ResponseStatus {
  if (status === 'running' || isWaiting(status)) return 'in_progress'
  if (status === 'cancelled') return 'cancelled'
  if (status !== 'completed') return 'failed'
  return finish_reason === 'length' || finish_reason === 'content_filter' ? 'incomplete' : 'completed'
}

/** In the words of OpenAI. */
const errorCode = ({ code }: MessageRow): string =>
  code === 'budget_exceeded' || code === 'provider_rate_limited' ? 'rate_limit_exceeded' : 'server_error'

function toUsage(row: MessageRow): Response['usage'] {
  const { usage } = row
  if (!usage) return null
  const { cached, reasoning } = tokenDetails(row)
  return {
    input_tokens: usage.input_tokens,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: usage.total_tokens,
  }
}
