import type { Message } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRightLeft, Ban, Bot, Check, ChevronRight, CircleX, LoaderCircle, Send, Wrench } from 'lucide-react'
import { useState } from 'react'
import { nameById, useAgents } from '../api/lookups.ts'
import { parley } from '../api/parley.ts'
import { argumentsLine, CallArguments } from '../parts/call-arguments.tsx'
import { ErrorPanel } from '../parts/error-panel.tsx'
import { milliseconds } from '../ui/format.ts'
import { Loading } from '../ui/states.tsx'
import { ToolResult } from './tool-result.tsx'

type Call = Message['tool_calls'][number]

/** A tool call with its arguments and result. `refusal` says why one was refused, if nobody denied it. */
export function ToolCall({ call, refusal }: { call: Call; refusal?: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="step" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        {call.conversation_id === undefined ? <Wrench aria-hidden size={14} /> : <Bot aria-hidden size={14} />}
        <span className="grow clip">
          <strong>{call.conversation_id === undefined ? call.name : <AgentName call={call} />}</strong>{' '}
          <span className="muted">{argumentsLine(call.arguments)}</span>
        </span>
        {call.latency_ms !== null && <span className="muted small">{milliseconds(call.latency_ms)}</span>}
        {call.status === 'refused' && refusal && <span className="small">{refusal}</span>}
        <Outcome status={call.status} />
        <ChevronRight aria-hidden size={14} />
      </summary>
      <div>
        {isOpen && call.conversation_id !== undefined && (
          <ChildSteps id={call.conversation_id} isRunning={call.result === null} />
        )}
        <h3>Arguments</h3>
        <CallArguments value={call.arguments} />
        {call.edited_arguments !== undefined && (
          <>
            <h3>Arguments changed by the approver</h3>
            <CallArguments value={call.edited_arguments} label="Changed arguments" />
          </>
        )}
        {call.result !== null && (
          <>
            <h3>Result</h3>
            <ToolResult tool={call.tool_id} text={call.result} />
          </>
        )}
      </div>
    </details>
  )
}

const checkEvery = 2000

/** The steps of an agent that was asked as a tool. It may ask others, whose steps are folded in its own. */
function ChildSteps({ id, isRunning }: { id: string; isRunning: boolean }) {
  const messages = useQuery({
    queryKey: ['conversations', id, 'steps'],
    queryFn: async ({ signal }) => (await parley.conversations.messages(id, { limit: 100 }, { signal })).data,
    refetchInterval: isRunning && checkEvery,
  })
  const calls = messages.data?.flatMap((message) => message.tool_calls) ?? []
  return (
    <>
      <h3>Steps</h3>
      {messages.error && <ErrorPanel error={messages.error} onRetry={() => void messages.refetch()} />}
      {messages.isPending && <Loading />}
      {calls.map((call) => (
        <ToolCall key={call.id} call={call} />
      ))}
      {messages.data && calls.length === 0 && <p className="muted small">It called no tools.</p>}
      <p>
        <Link to="/conversations/$id" params={{ id }}>
          Open its conversation
        </Link>
      </p>
    </>
  )
}

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
