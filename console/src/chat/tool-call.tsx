import type { Message } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { ArrowRightLeft, Ban, Bot, Check, ChevronRight, CircleX, LoaderCircle, Send, Wrench } from 'lucide-react'
import { nameById, useAgents } from '../api/lookups.ts'
import { CodeBlock, json, prettyJson } from '../ui/code.tsx'
import { milliseconds } from '../ui/format.ts'

type Call = Message['tool_calls'][number]

/** A tool call with its arguments and result. `refusal` says why one was refused, if nobody denied it. */
export const ToolCall = ({ call, refusal }: { call: Call; refusal?: string }) => (
  <details className="step">
    <summary>
      {call.conversation_id === undefined ? <Wrench aria-hidden size={14} /> : <Bot aria-hidden size={14} />}
      <span className="grow clip">
        <strong>{call.conversation_id === undefined ? call.name : <AgentName call={call} />}</strong>{' '}
        <span className="muted">{json(call.arguments).replace(/\s+/g, ' ')}</span>
      </span>
      {call.latency_ms !== null && <span className="muted small">{milliseconds(call.latency_ms)}</span>}
      {call.status === 'refused' && refusal && <span className="small">{refusal}</span>}
      <Outcome status={call.status} />
      <ChevronRight aria-hidden size={14} />
    </summary>
    <div>
      {call.conversation_id !== undefined && (
        <p>
          <Link to="/conversations/$id" params={{ id: call.conversation_id }}>
            Show its steps
          </Link>
        </p>
      )}
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

function AgentName({ call }: { call: Call }) {
  const agents = useAgents().data
  return agents?.find(({ id }) => id === call.tool_id)?.name ?? call.name
}

/** A line that says with which agents the reply went on. */
export function HandoffLine({ handoffs }: Pick<Message, 'handoffs'>) {
  const agents = useAgents().data
  const steps = handoffs.map(
    ({ to_agent_id: id, reason }) => `${nameById(agents, id)}${reason === '' ? '' : ` (${reason})`}`,
  )
  return (
    <p className="row muted small">
      <ArrowRightLeft aria-hidden size={14} />
      <span>Passed on to {steps.join(', then to ')}</span>
    </p>
  )
}

function Outcome({ status }: { status: Call['status'] }) {
  if (status === 'completed') return <Check size={14} color="var(--good)" aria-label="Done" />
  if (status === 'failed') return <CircleX size={14} color="var(--bad)" aria-label="Failed" />
  if (status === 'refused') return <Ban size={14} color="var(--warn)" aria-label="Refused" />
  if (status === 'handed_over') return <Send size={14} aria-label="Sent to the client" />
  return <LoaderCircle className="spin" size={14} aria-label="Running" />
}
