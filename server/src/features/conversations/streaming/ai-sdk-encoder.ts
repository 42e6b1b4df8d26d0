import type { TurnEvent } from './event-schema.ts'
import type { Encoder } from './send-events.ts'

/** The AI SDK's UI message stream. Text parts are opened and closed, so each stream needs an encoder of its own. */
export function aiSdkEncoder(): Encoder {
  let part = 0
  let open = false
  let over = false
  const waiting = new Set<string>()
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

  const introduce = (call: { tool_call_id: string; name: string; arguments: unknown }) => {
    const named = { toolCallId: call.tool_call_id, toolName: call.name }
    return (
      closeText() +
      frame({ type: 'tool-input-start', ...named }) +
      frame({ type: 'tool-input-available', ...named, input: call.arguments })
    )
  }
  const decided = (id: string, approved: boolean) =>
    waiting.delete(id) ? frame({ type: 'tool-approval-response', approvalId: id, approved }) : ''
  const start = (event: TurnEvent) =>
    event.type === 'message.started' ? frame({ type: 'start', messageId: event.message_id }) : ''
  const finish = () => {
    over = true
    return closeText() + frame({ type: 'finish-step' }) + frame({ type: 'finish' })
  }

  const encode = (event: TurnEvent): string => {
    switch (event.type) {
      case 'message.started':
        return start(event) + frame({ type: 'start-step' })
      case 'text.delta':
        return openText() + frame({ type: 'text-delta', id: partId(), delta: event.delta })
      case 'tool.started':
        return waiting.has(event.tool_call_id) ? decided(event.tool_call_id, true) : introduce(event)
      case 'approval.required':
        waiting.add(event.tool_call_id)
        return (
          introduce(event) +
          frame({ type: 'tool-approval-request', approvalId: event.tool_call_id, toolCallId: event.tool_call_id })
        )
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
        return finish()
      case 'message.cancelled':
        over = true
        return closeText() + frame({ type: 'abort' })
      case 'message.failed':
        over = true
        return closeText() + frame({ type: 'error', errorText: event.error ?? 'The reply failed.' })
    }
  }
  return {
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
    encode,
    resume: start,
    // For this protocol a reply that waits for approval is finished.
    end: () => `${over ? '' : finish()}data: [DONE]\n\n`,
  }
}
