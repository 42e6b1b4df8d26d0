import type { DataOf, Message } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ArrowRightLeft,
  Ban,
  Bot,
  Check,
  ChevronRight,
  CircleX,
  LoaderCircle,
  Send,
  ShieldQuestion,
  Wrench,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { nameById, useAgents } from '../api/lookups.ts'
import { parley } from '../api/parley.ts'
import { Button } from '../ui/button.tsx'
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
  if (status === 'refused') return <Ban size={14} color="var(--warn)" aria-label="Denied" />
  if (status === 'handed_over') return <Send size={14} aria-label="Sent to the client" />
  return <LoaderCircle className="spin" size={14} aria-label="Running" />
}

type ApprovalData = DataOf<'/approvals/{id}', 'get'>

/** The agents that led to a call: the first one, then those that it asked. */
const agentPath = ({ agent_path: path }: ApprovalData): string =>
  path.map(({ agent_name: name }) => name ?? 'A deleted agent').join(' → ')

interface ApprovalProps {
  call: Call
  /** Whether the reader may write in the conversation. */
  mayDecide: boolean
  onDecide: (approved: boolean) => Promise<void>
  /** Somebody has decided elsewhere. */
  onDecided: () => void
}

const refreshEvery = 10_000

/** A tool call that waits for approval. */
export function Approval({ call, mayDecide, onDecide, onDecided }: ApprovalProps) {
  const [busy, setBusy] = useState(false)
  const id = call.approval_id
  const { data: approval } = useQuery({
    queryKey: ['approvals', 'one', id],
    queryFn: ({ signal }) => parley.approvals.get(id ?? '', { signal }),
    enabled: id !== undefined && mayDecide,
    refetchInterval: refreshEvery,
    refetchOnWindowFocus: true,
  })
  const isDecided = approval !== undefined && approval.status !== 'pending'
  useEffect(() => {
    if (isDecided) onDecided()
  }, [isDecided, onDecided])
  const decides = mayDecide && (id === undefined || approval?.may_decide === true)
  const child = call.conversation_id === undefined ? undefined : approval // an agent that it asked wants it
  const target = child ? child.target : call.target
  const decide = async (approved: boolean) => {
    setBusy(true)
    await onDecide(approved)
    setBusy(false)
  }
  return (
    <div className="approval">
      <p className="row">
        <ShieldQuestion aria-hidden size={17} />
        <span>
          {child ? agentPath(child) : 'The agent'} wants to use <strong>{child?.name ?? call.name}</strong> and needs{' '}
          {decides ? 'your' : 'an'} approval
          {!decides && approval && <>. It is decided by {approval.deciders}</>}.
        </span>
      </p>
      {target && <code className="target">{target}</code>}
      <CodeBlock text={json((child ?? call).arguments)} label="Arguments" />
      {decides && (
        <div className="row">
          <Button variant="primary" busy={busy} onClick={() => void decide(true)}>
            Allow
          </Button>
          <Button disabled={busy} onClick={() => void decide(false)}>
            Deny
          </Button>
        </div>
      )}
    </div>
  )
}
