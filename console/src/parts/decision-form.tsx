import { Check, Pencil, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { ArgumentFields, CallArguments, isArguments } from './call-arguments.tsx'

export interface Decision {
  approved: boolean
  comment?: string | null
  arguments?: Record<string, unknown>
}

interface DecisionFormProps {
  /** The arguments that the model sent. */
  value: unknown
  busy: boolean
  hasComment?: boolean
  onDecide: (decision: Decision) => void
}

/** The arguments of a call that waits, which can be changed, and the buttons to decide. */
export function DecisionForm({ value, busy, hasComment = false, onDecide }: DecisionFormProps) {
  const [edited, setEdited] = useState<Record<string, unknown> | null>(null)
  const [invalid, setInvalid] = useState<readonly string[]>([])
  const [comment, setComment] = useState('')
  const decide = (approved: boolean) =>
    onDecide({
      approved,
      ...(comment.trim() !== '' && { comment: comment.trim() }),
      ...(approved && edited && { arguments: edited }),
    })
  return (
    <form className="approval-decision" onSubmit={(event) => event.preventDefault()} autoComplete="off">
      {edited ? (
        <ArgumentFields
          value={edited}
          onChange={setEdited}
          onValid={(name, isValid) =>
            setInvalid((names) => (isValid ? names.filter((each) => each !== name) : [...names, name]))
          }
        />
      ) : (
        <CallArguments value={value} />
      )}
      {hasComment && (
        <TextField
          label="Comment"
          value={comment}
          onChange={setComment}
          hint="Optional. If you refuse, the agent is told."
        />
      )}
      <div className="row">
        <Button
          variant="primary"
          icon={Check}
          busy={busy}
          disabled={edited !== null && invalid.length > 0}
          onClick={() => decide(true)}
        >
          {edited ? 'Approve with changes' : 'Approve'}
        </Button>
        <Button icon={X} disabled={busy} onClick={() => decide(false)}>
          Refuse
        </Button>
        {isArguments(value) && (
          <Button
            variant="quiet"
            icon={edited ? X : Pencil}
            disabled={busy}
            onClick={() => setEdited(edited ? null : value)}
          >
            {edited ? 'Discard changes' : 'Edit'}
          </Button>
        )}
      </div>
    </form>
  )
}
