import type { Message } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Ban, Check, ChevronRight, CircleX, LoaderCircle, Send, ShieldQuestion, Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import { parley } from '../api/parley.ts'
import { CallArguments } from '../parts/call-arguments.tsx'
import { type Decision, DecisionForm } from '../parts/decision-form.tsx'
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

interface ApprovalProps {
  call: Call
  /** Whether the reader may decide about calls of the conversation, as far as its page knows. */
  mayDecide: boolean
  onDecide: (decision: Decision) => Promise<void>
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
  const decide = async (decision: Decision) => {
    setBusy(true)
    await onDecide(decision)
    setBusy(false)
  }
  return (
    <div className="approval">
      <p className="row">
        <ShieldQuestion aria-hidden size={17} />
        <span>
          The agent wants to use <strong>{call.name}</strong> and needs {decides ? 'your' : 'an'} approval
          {!decides && approval && <>. It is decided by {approval.deciders}</>}.
        </span>
      </p>
      {call.target && <code className="target">{call.target}</code>}
      {decides ? (
        <DecisionForm value={call.arguments} busy={busy} onDecide={(decision) => void decide(decision)} />
      ) : (
        <CallArguments value={call.arguments} />
      )}
    </div>
  )
}
