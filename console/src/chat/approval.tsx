import type { Message, ResponseData } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { ShieldQuestion } from 'lucide-react'
import { useEffect, useState } from 'react'
import { decidersText } from '../api/approvals.ts'
import { parley } from '../api/parley.ts'
import { usePersonName } from '../api/people.ts'
import { CallArguments } from '../parts/call-arguments.tsx'
import { type Decision, DecisionForm } from '../parts/decision-form.tsx'

type Call = Message['tool_calls'][number]

/** The agents that led to a call: the first one, then those that it asked. */
const agentPath = ({ agent_path: path }: ResponseData<'/approvals/{id}', 'get'>): string =>
  path.map(({ agent_name: name }) => name ?? 'A deleted agent').join(' → ')

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
export default function Approval({ call, mayDecide, onDecide, onDecided }: ApprovalProps) {
  const [busy, setBusy] = useState(false)
  const personName = usePersonName()
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
          {child ? agentPath(child) : 'The agent'} wants to use <strong>{child?.name ?? call.name}</strong> and needs{' '}
          {decides ? 'your' : 'an'} approval
          {!decides && approval && <>. It is decided by {decidersText(approval, personName)}</>}.
        </span>
      </p>
      {target && <code className="target">{target}</code>}
      {decides ? (
        <DecisionForm value={(child ?? call).arguments} busy={busy} onDecide={(decision) => void decide(decision)} />
      ) : (
        <CallArguments value={(child ?? call).arguments} />
      )}
    </div>
  )
}
