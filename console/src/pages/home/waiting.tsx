import { Link } from '@tanstack/react-router'
import { CircleAlert, ShieldQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWaitingApprovals } from '../../api/approvals.ts'
import { useSources, useStatus } from '../../api/lookups.ts'
import { useMay } from '../../api/permissions.ts'
import { count } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'

const maxShown = 5

interface ItemProps {
  icon: ReactNode
  to: string
  title: string
  text: string
}

const Item = ({ icon, to, title, text }: ItemProps) => (
  <li>
    {icon}
    <span className="grow">
      <Link to={to}>
        <strong>{title}</strong>
      </Link>
      <br />
      <span className="muted">{text}</span>
    </span>
  </li>
)

const failed = <CircleAlert aria-hidden size={20} className="bad-text" />

/** What needs somebody: approvals, sources that could not be read, jobs that failed. Nothing is shown if nothing does. */
export function Waiting() {
  const may = useMay()
  const approvals = useWaitingApprovals()
  const broken = (useSources().data ?? []).filter(({ status }) => status === 'error')
  const jobs = useStatus().data?.jobs.failed ?? 0
  const failedJobs = may('administer') ? jobs : 0
  if (approvals === 0 && broken.length === 0 && failedJobs === 0) return null
  return (
    <Card title="Waiting for you">
      <ul className="steps">
        {approvals > 0 && (
          <Item
            icon={<ShieldQuestion aria-hidden size={20} />}
            to="/approvals"
            title={approvals === 1 ? '1 approval' : `${count(approvals)} approvals`}
            text="An agent waits until somebody decides."
          />
        )}
        {broken.slice(0, maxShown).map(({ id, name, status_message: message }) => (
          <Item
            key={id}
            icon={failed}
            to={`/knowledge/${id}`}
            title={`${name} was not read`}
            text={message ?? 'The last sync failed.'}
          />
        ))}
        {broken.length > maxShown && (
          <Item
            icon={failed}
            to="/knowledge"
            title={`${count(broken.length - maxShown)} more sources`}
            text="Their last syncs failed too."
          />
        )}
        {failedJobs > 0 && (
          <Item
            icon={failed}
            to="/status"
            title={failedJobs === 1 ? '1 background job failed' : `${count(failedJobs)} background jobs failed`}
            text="The log of the service says why."
          />
        )}
      </ul>
    </Card>
  )
}
