import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

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
