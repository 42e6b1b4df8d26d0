import type { TurnEvent } from '../../runs/events.ts'
import type { Message } from '../../runs/schema.ts'
import type { Encoder } from './send-events.ts'

/** The AI SDK's UI message stream. Text parts are opened and closed, so each stream needs an encoder of its own. */
export function aiSdkEncoder(): Encoder {
  let part = 0
  let open: 'text' | 'reasoning' | null = null
  let over = false
  const waiting = new Set<string>()
  const introduced = new Set<string>()
  const frame = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`
  const close = () => {
    if (open === null) return ''
    const end = frame({ type: `${open}-end`, id: `${open}-${part}` })
    open = null
    return end
  }
  const addTo = (kind: 'text' | 'reasoning', delta: string) => {
    let start = ''
    if (open !== kind) {
      start = close() + frame({ type: `${kind}-start`, id: `${kind}-${++part}` })
      open = kind
    }
    return start + frame({ type: `${kind}-delta`, id: `${kind}-${part}`, delta })
  }

  const introduce = (call: { tool_call_id: string; name: string; arguments: unknown }) => {
    introduced.add(call.tool_call_id)
    const named = { toolCallId: call.tool_call_id, toolName: call.name }
    return (
      close() +
      frame({ type: 'tool-input-start', ...named }) +
      frame({ type: 'tool-input-available', ...named, input: call.arguments })
    )
  }
  const decided = (id: string, approved: boolean) =>
    waiting.delete(id) ? frame({ type: 'tool-approval-response', approvalId: id, approved }) : ''
  const start = (event: TurnEvent) =>
    event.type === 'message.started' ? frame({ type: 'start', messageId: event.message_id }) : ''
  const finish = (message?: Message) => {
    over = true
    const sources = message?.citations.map((citation, at) => frame(sourcePart(message.id, citation, at))) ?? []
    const last = {
      type: 'finish',
      ...(message && { ...finishReason(message), messageMetadata: messageMetadata(message) }),
    }
    return close() + sources.join('') + frame({ type: 'finish-step' }) + frame(last)
  }

  const encode = (event: TurnEvent): string => {
    switch (event.type) {
      case 'message.started':
        return start(event) + frame({ type: 'start-step' })
      case 'text.delta':
        return addTo('text', event.delta)
      case 'reasoning.delta':
        return addTo('reasoning', event.delta)
      case 'tool.started':
        return waiting.has(event.tool_call_id) ? decided(event.tool_call_id, true) : introduce(event)
      case 'tool.progress': {
        const { type, ...data } = event
        return frame({ type: 'data-tool-progress', transient: true, data })
      }
      case 'handoff': {
        const { type, ...data } = event
        return close() + frame({ type: 'data-handoff', data })
      }
      case 'memory.written': {
        const { type, ...data } = event
        return close() + frame({ type: 'data-memory', data })
      }
      case 'approval.required':
        waiting.add(event.tool_call_id)
        return (
          (introduced.has(event.tool_call_id) ? '' : introduce(event)) +
          frame({ type: 'tool-approval-request', approvalId: event.tool_call_id, toolCallId: event.tool_call_id })
        )
      case 'connection.required':
      case 'input.required': {
        const { type, ...data } = event
        return frame({ type: type === 'input.required' ? 'data-input-required' : 'data-connection-required', data })
      }
      case 'tool.finished':
        if (event.status === 'refused')
          return (
            decided(event.tool_call_id, false) + frame({ type: 'tool-output-denied', toolCallId: event.tool_call_id })
          )
        return event.status === 'completed'
          ? frame({ type: 'tool-output-available', toolCallId: event.tool_call_id, output: event.result })
          : frame({
              type: 'tool-output-error',
              toolCallId: event.tool_call_id,
              errorText: event.result ?? 'The tool failed.',
            })
      case 'message.completed':
        return finish(event.message)
      case 'message.cancelled':
        over = true
        return close() + frame({ type: 'abort' })
      case 'message.failed':
        over = true
        return close() + frame({ type: 'error', errorText: event.error ?? 'The reply failed.' })
    }
  }
  return {
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
    encode,
    resume: start,
    // The AI SDK expects the end of the stream when a reply waits for approval.
    end: () => `${over ? '' : finish()}data: [DONE]\n\n`,
  }
}

/** The AI SDK distinguishes web pages (`source-url`) from documents. */
function sourcePart(messageId: string, citation: Message['citations'][number], at: number): object {
  const { source, ...position } = citation
  const common = { sourceId: `${messageId}-${at + 1}`, title: source, providerMetadata: { parley: position } }
  return /^https?:\/\//.test(source)
    ? { type: 'source-url', url: source, ...common }
    : { type: 'source-document', mediaType: 'text/plain', filename: source, ...common }
}

/** The AI SDK writes finish reasons with hyphens. */
const finishReason = ({ finish_reason: reason }: Message) => reason && { finishReason: reason.replace('_', '-') }

const messageMetadata = ({ citations, ...message }: Message): object => ({
  conversation_id: message.conversation_id,
  message_id: message.id,
  model_id: message.model_id,
  agent_version: message.agent_version,
  finish_reason: message.finish_reason,
  latency_ms: message.latency_ms,
  time_to_first_token_ms: message.time_to_first_token_ms,
  usage: message.usage,
  citations,
})
