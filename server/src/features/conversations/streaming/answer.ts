import { Problem } from '../../../kernel/errors.ts'
import type { Reply, Request } from '../../../kernel/http/app.ts'
import { ok } from '../../../kernel/http/envelope.ts'
import { eventStreamHeaders } from '../../../kernel/http/event-stream.ts'
import { failedReply } from '../../runs/ending.ts'
import { type EventSource, ended, isLast, present, type ReplySource } from '../../runs/events.ts'
import { Run } from '../../runs/run.ts'
import { canBeRepeated } from '../send.ts'
import { aiSdkEncoder } from './ai-sdk-encoder.ts'
import { type Encoder, eventText, nativeEncoder, sendEvents } from './send-events.ts'

export const encoderFor = (protocol: 'ai-sdk' | undefined): Encoder =>
  protocol === 'ai-sdk' ? aiSdkEncoder() : nativeEncoder

/** Sends the reply once it is whole, or its events as they come. */
export async function answer(
  request: Request,
  reply: Reply,
  source: ReplySource,
  { stream, protocol, after = 0 }: { stream: boolean; protocol: 'ai-sdk' | undefined; after?: number },
) {
  if (stream) {
    sendEvents(reply, source, encoderFor(protocol), after)
    storeEvents(request, source, protocol, after)
    return reply
  }
  const row = await source.finished
  const details = [...(row.details ?? []), { path: 'message_id', message: row.id }]
  if (row.status === 'interrupted' && source instanceof Run) {
    const message = 'The service stopped before the reply was complete. Send the request again.'
    throw new Problem('overloaded', message, { details, headers: { 'retry-after': '1' } })
  }
  if (row.status === 'failed') throw failedReply(source, details)
  return ok(present(row))
}

/** Stores the whole stream for repetitions of the request when it has ended, unless they get another reply. */
export function storeEvents(
  request: Request,
  source: EventSource,
  protocol: 'ai-sdk' | undefined,
  after: number,
): void {
  if (request.idempotencyKey === null) return
  const response = async () => {
    await ended(source)
    const last = source.at(source.length)
    if (isLast(last) && canBeRepeated(last.message)) return null
    const encoder = encoderFor(protocol)
    const headers = { ...eventStreamHeaders, ...encoder.headers }
    return { status: 200, headers, body: eventText(source, encoder, after) }
  }
  void request.storeResponse(response())
}
