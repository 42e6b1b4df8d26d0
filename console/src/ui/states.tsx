import { isParleyError } from '@parley/client'
import { CircleAlert, type LucideIcon, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

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

const advice: Record<string, string> = {
  connection_failed: 'The server is not responding. Check that it is running and that you are online, then try again.',
  timeout: 'The server took too long to respond. Try again.',
  forbidden: 'Your role does not allow this. Ask an administrator for access.',
  not_found: 'It may have been deleted or belong to another workspace.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
}

interface ErrorProps {
  error: unknown
  onRetry?: () => void
  onLeave?: () => void
}

/** An error and what to do about it. */
export function ErrorPanel({ error, onRetry, onLeave }: ErrorProps) {
  const known = isParleyError(error) ? error : null
  const message = error instanceof Error ? error.message : String(error)
  return (
    <div className="empty problem" role="alert">
      <span className="empty-icon">
        <CircleAlert aria-hidden size={22} />
      </span>
      <h2>{known?.code === 'not_found' ? 'Not found' : 'Something went wrong'}</h2>
      <div className="muted">
        <p>{message}</p>
        {known && advice[known.code] && <p>{advice[known.code]}</p>}
        {known?.requestId && (
          <p className="small">
            Request <code>{known.requestId}</code>
          </p>
        )}
      </div>
      <div className="row">
        {onRetry && (
          <Button icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        )}
        {onLeave && <Button onClick={onLeave}>Sign in with another token</Button>}
      </div>
    </div>
  )
}
