import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Approval } from '../../api/approvals.ts'
import { parley } from '../../api/parley.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, json } from '../../ui/code.tsx'
import { TextField } from '../../ui/field.tsx'
import { dateTime } from '../../ui/format.ts'
import { Badge, Card, type Tone } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'

type Props = { approval: Approval }

/** A call that waits, with the buttons to decide. */
export function PendingApproval({ approval }: Props) {
  const [comment, setComment] = useState('')
  const decide = useSave({
    invalidates: ['approvals', 'conversations'],
    run: (approved: boolean) => parley.approvals.decide(approval.id, { approved, comment: comment.trim() || null }),
    toast: ({ status }) => `${approval.name} ${status}`,
  })
  return (
    <Call approval={approval}>
      <p className="muted small">
        Expires <time dateTime={approval.expires_at}>{dateTime(approval.expires_at)}</time>; then it is refused.
      </p>
      {(approval.approvers || !approval.may_decide) && <p>Decided by {approval.deciders}.</p>}
      {approval.may_decide && (
        <form className="approval-decision" onSubmit={(event) => event.preventDefault()}>
          <TextField
            label="Comment"
            value={comment}
            onChange={setComment}
            hint="Optional. If you refuse, the agent is told."
          />
          <div className="row">
            <Button variant="primary" icon={Check} busy={decide.isPending} onClick={() => decide.mutate(true)}>
              Approve
            </Button>
            <Button icon={X} disabled={decide.isPending} onClick={() => decide.mutate(false)}>
              Refuse
            </Button>
          </div>
        </form>
      )}
    </Call>
  )
}

const tones: Record<Approval['status'], Tone> = { pending: 'accent', approved: 'good', refused: 'bad', expired: 'warn' }

/** A call with its outcome. */
export const DecidedApproval = ({ approval }: Props) => (
  <Call approval={approval}>
    <p>
      <Badge tone={tones[approval.status]}>{approval.status}</Badge>{' '}
      {approval.decided_by ? `by ${approval.decided_by}` : 'Nobody decided in time.'}{' '}
      {approval.decided_at && (
        <span className="muted">
          <Ago at={approval.decided_at} />
        </span>
      )}
    </p>
    {approval.comment && <p>“{approval.comment}”</p>}
  </Call>
)

function Call({ approval, children }: Props & { children: ReactNode }) {
  const { name, agent_path: path, agent_name, target, user_id: user, created_at: created } = approval
  const agent = path.length > 1 ? path.map((each) => each.agent_name ?? 'A deleted agent').join(' → ') : agent_name
  return (
    <Card title={name} actions={<ConversationLink approval={approval} />}>
      <p>
        {agent ?? 'A deleted agent'} {approval.status === 'pending' ? 'wants' : 'wanted'} to use <strong>{name}</strong>
        {user && (
          <>
            {' '}
            for <strong>{user}</strong>
          </>
        )}{' '}
        <span className="muted">
          <Ago at={created} />
        </span>
      </p>
      {target && <code className="target">{target}</code>}
      <CodeBlock text={json(approval.arguments)} label="Arguments" />
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
