import type { Message } from '@parley/client'
import { Ban, Check, ChevronRight, CircleX, LoaderCircle, Send, Wrench } from 'lucide-react'
import { CodeBlock, json, prettyJson } from '../ui/code.tsx'
import { milliseconds } from '../ui/format.ts'

type Call = Message['tool_calls'][number]

/** A tool call with its arguments and result. `refusal` says why one was refused, if nobody denied it. */
export const ToolCall = ({ call, refusal }: { call: Call; refusal?: string }) => (
  <details className="step">
    <summary>
      <Wrench aria-hidden size={14} />
      <span className="grow clip">
        <strong>{call.name}</strong> <span className="muted">{json(call.arguments).replace(/\s+/g, ' ')}</span>
      </span>
      {call.latency_ms !== null && <span className="muted small">{milliseconds(call.latency_ms)}</span>}
      {call.status === 'refused' && refusal && <span className="small">{refusal}</span>}
      <Outcome status={call.status} />
      <ChevronRight aria-hidden size={14} />
    </summary>
    <div>
      <h3>Arguments</h3>
      <CodeBlock text={json(call.arguments)} label="Arguments" />
      {call.edited_arguments !== undefined && (
        <>
          <h3>Arguments changed by the approver</h3>
          <CodeBlock text={json(call.edited_arguments)} label="Changed arguments" />
        </>
      )}
      {call.result !== null && (
        <>
          <h3>Result</h3>
          <CodeBlock text={prettyJson(call.result)} label="Result" />
        </>
      )}
    </div>
  </details>
)

function Outcome({ status }: { status: Call['status'] }) {
  if (status === 'completed') return <Check size={14} color="var(--good)" aria-label="Done" />
  if (status === 'failed') return <CircleX size={14} color="var(--bad)" aria-label="Failed" />
  if (status === 'refused') return <Ban size={14} color="var(--warn)" aria-label="Refused" />
  if (status === 'handed_over') return <Send size={14} aria-label="Sent to the client" />
  return <LoaderCircle className="spin" size={14} aria-label="Running" />
}
