import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Approval, decidersText } from '../../api/approvals.ts'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { CallArguments } from '../../parts/call-arguments.tsx'
import { type Decision, DecisionForm } from '../../parts/decision-form.tsx'
import { dateTime } from '../../ui/format.ts'
import { Badge, Card, type Tone } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'

type Props = { approval: Approval }

/** A call that waits, with the buttons to decide. */
export function PendingApproval({ approval }: Props) {
  const personName = usePersonName()
  const decide = useSave({
    invalidates: ['approvals', 'conversations'],
    run: (decision: Decision) => parley.approvals.decide(approval.id, decision),
    toast: ({ status }) => `${approval.name} ${status}`,
  })
  return (
    <Call approval={approval}>
      <p className="muted small">
        Decided by {decidersText(approval, personName)}. Expires{' '}
        <time dateTime={approval.expires_at}>{dateTime(approval.expires_at)}</time>; then it is refused.
      </p>
      {approval.may_decide ? (
        <DecisionForm value={approval.arguments} hasComment busy={decide.isPending} onDecide={decide.mutate} />
      ) : (
        <CallArguments value={approval.arguments} />
      )}
    </Call>
  )
}

const tones: Record<Approval['status'], Tone> = { pending: 'accent', approved: 'good', refused: 'bad', expired: 'warn' }

/** A call with its outcome. */
export const DecidedApproval = ({ approval }: Props) => (
  <Call approval={approval}>
    <CallArguments value={approval.arguments} />
    {approval.edited_arguments && (
      <>
        <h3>Made with changed arguments</h3>
        <CallArguments value={approval.edited_arguments} label="Changed arguments" />
      </>
    )}
    <p>
      <Badge tone={tones[approval.status]}>{approval.status}</Badge> <DecidedBy approval={approval} />{' '}
      {approval.decided_at && (
        <span className="muted">
          <Ago at={approval.decided_at} />
        </span>
      )}
    </p>
    {approval.comment && <p>“{approval.comment}”</p>}
  </Call>
)

const DecidedBy = ({ approval: { decided_by: by } }: Props) => {
  const personName = usePersonName()
  return by ? `by ${personName(by)}` : 'Nobody decided in time.'
}

function Call({ approval, children }: Props & { children: ReactNode }) {
  const personName = usePersonName()
  const { name, agent_path: path, agent_name, target, user_id: user, created_at: created } = approval
  const agent = path.length > 1 ? path.map((each) => each.agent_name ?? 'A deleted agent').join(' → ') : agent_name
  return (
    <Card title={name} actions={<ConversationLink approval={approval} />}>
      <p>
        {agent ?? 'A deleted agent'} {approval.status === 'pending' ? 'wants' : 'wanted'} to use <strong>{name}</strong>
        {user && (
          <>
            {' '}
            for <strong>{personName(user)}</strong>
          </>
        )}{' '}
        <span className="muted">
          <Ago at={created} />
        </span>
      </p>
      {target && <code className="target">{target}</code>}
      {children}
    </Card>
  )
}

/** Approvers may be asked about conversations that they do not see. */
function ConversationLink({ approval: { conversation_id: id, user_id: user } }: Props) {
  const may = useMay()
  const { data: me } = useMe()
  if (!may('converse') || (me?.role === 'user' && me.user_id !== user)) return null
  return <Link to={`/conversations/${id}`}>Conversation</Link>
}
