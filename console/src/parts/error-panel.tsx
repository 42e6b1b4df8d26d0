import { isParleyError } from '@parley/client'
import { CircleAlert, RotateCw } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/code.tsx'
import { explain, toFailure } from '../ui/errors.ts'
import { ErrorAction } from './error-action.tsx'

interface ErrorProps {
  error: unknown
  onRetry?: () => void
  onLeave?: () => void
}

/** An error and what to do about it. */
export function ErrorPanel({ error, onRetry, onLeave }: ErrorProps) {
  const failure = toFailure(error)
  const { title, text } = explain(failure)
  // To find the cause in the log of the server.
  const request = isParleyError(error) && error.status >= 500 ? error.requestId : null
  return (
    <div className="empty problem" role="alert">
      <span className="empty-icon">
        <CircleAlert aria-hidden size={22} />
      </span>
      <h2>{title}</h2>
      <p className="muted">{text}</p>
      <div className="row">
        <ErrorAction primary failure={failure} />
        {onRetry && (
          <Button icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        )}
        {onLeave && <Button onClick={onLeave}>Sign in with another token</Button>}
        {request && <CopyButton label="Copy error details" text={`${failure.code}: ${failure.message}\n${request}`} />}
      </div>
    </div>
  )
}
