import { isParleyError } from '@parley/client'
import { CircleAlert, type LucideIcon, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { WayOut } from '../parts/way-out.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './code.tsx'
import { explain, failureOf } from './errors.ts'

/** An empty state: what belongs here and how to start. */
export const Empty = ({
  icon: Icon,
  title,
  action,
  children,
}: {
  icon: LucideIcon
  title: string
  action?: ReactNode
  children?: ReactNode
}) => (
  <div className="empty">
    <span className="empty-icon">
      <Icon aria-hidden size={22} />
    </span>
    <h2>{title}</h2>
    {children && <div className="muted">{children}</div>}
    {action && <div className="row">{action}</div>}
  </div>
)

export const Loading = ({ lines = 4 }: { lines?: number }) => (
  <div className="loading" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
      <span key={line} className="skeleton" />
    ))}
  </div>
)

interface ErrorProps {
  error: unknown
  onRetry?: () => void
  onLeave?: () => void
}

/** An error and what to do about it. */
export function ErrorPanel({ error, onRetry, onLeave }: ErrorProps) {
  const failure = failureOf(error)
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
        <WayOut primary failure={failure} />
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
