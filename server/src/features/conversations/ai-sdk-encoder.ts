import type { Encoder } from './event-stream.ts'
import type { TurnEvent } from './turn-events.ts'

/** The AI SDK's UI message stream: text comes in parts that are opened and closed, so one encoder serves one stream. */
export function aiSdkEncoder(): Encoder {
  let part = 0
  let open = false
  const frame = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`
  const partId = () => `text-${part}`
  const openText = () => {
    if (open) return ''
    open = true
    part++
    return frame({ type: 'text-start', id: partId() })
  }
  const closeText = () => {
    if (!open) return ''
    open = false
    return frame({ type: 'text-end', id: partId() })
  }

  const encode = (event: TurnEvent): string => {
    switch (event.type) {
      case 'message.started':
        return frame({ type: 'start', messageId: event.message_id }) + frame({ type: 'start-step' })
      case 'text.delta':
        return openText() + frame({ type: 'text-delta', id: partId(), delta: event.delta })
      case 'tool.started':
        return (
          closeText() +
          frame({ type: 'tool-input-start', toolCallId: event.tool_call_id, toolName: event.name }) +
          frame({
            type: 'tool-input-available',
            toolCallId: event.tool_call_id,
            toolName: event.name,
            input: event.arguments,
          })
        )
      case 'tool.finished':
        return event.status === 'completed'
          ? frame({ type: 'tool-output-available', toolCallId: event.tool_call_id, output: event.result })
          : frame({
              type: 'tool-output-error',
              toolCallId: event.tool_call_id,
              errorText: event.result ?? 'The tool failed.',
            })
      case 'message.completed':
        return closeText() + frame({ type: 'finish-step' }) + frame({ type: 'finish' })
      case 'message.cancelled':
        return closeText() + frame({ type: 'abort' })
      case 'message.failed':
        return closeText() + frame({ type: 'error', errorText: event.error ?? 'The reply failed.' })
    }
  }
  return { headers: { 'x-vercel-ai-ui-message-stream': 'v1' }, encode, end: 'data: [DONE]\n\n' }
}
