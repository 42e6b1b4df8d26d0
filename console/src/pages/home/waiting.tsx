import { CircleAlert, Gauge, ShieldQuestion } from 'lucide-react'
import { useWaitingApprovals } from '../../api/approvals.ts'
import { useAlertingMonitors, useSources, useStatus } from '../../api/lookups.ts'
import { useMay } from '../../api/permissions.ts'
import { count, scoreText } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { scorerLabel } from '../evaluations/scorer-label.ts'
import { LinkedItem } from './linked-item.tsx'

const maxShown = 5

const failed = <CircleAlert aria-hidden size={20} className="bad-text" />

/** Lists approvals, sources that could not be read, monitors below their limit and jobs that failed. It is left out if there are none. */
export function Waiting() {
  const may = useMay()
  const approvals = useWaitingApprovals()
  const broken = (useSources().data ?? []).filter(({ status }) => status === 'error')
  const alerting = useAlertingMonitors().data ?? []
  const jobs = useStatus().data?.jobs.failed ?? 0
  const failedJobs = may('administer') ? jobs : 0
  if (approvals === 0 && broken.length === 0 && alerting.length === 0 && failedJobs === 0) return null
  return (
    <Card title="Waiting for you">
      <ul className="steps">
        {approvals > 0 && (
          <LinkedItem
            icon={<ShieldQuestion aria-hidden size={20} />}
            to="/approvals"
            title={approvals === 1 ? '1 approval' : `${count(approvals)} approvals`}
            text="An agent waits until somebody decides."
          />
        )}
        {broken.slice(0, maxShown).map(({ id, name, status_message: message }) => (
          <LinkedItem
            key={id}
            icon={failed}
            to={`/knowledge/${id}`}
            title={`${name} was not read`}
            text={message ?? 'The last sync failed.'}
          />
        ))}
        {broken.length > maxShown && (
          <LinkedItem
            icon={failed}
            to="/knowledge"
            title={`${count(broken.length - maxShown)} more sources`}
            text="Their last syncs failed too."
          />
        )}
        {alerting.slice(0, maxShown).map(({ id, name, alert, alerting: scorers }) => (
          <LinkedItem
            key={id}
            icon={<Gauge aria-hidden size={20} className="bad-text" />}
            to={`/monitors/${id}`}
            title={`Scores of ${name} are low`}
            text={`${scorers.map(scorerLabel).join(', ')}: the mean of the last ${count(alert?.window ?? 0)} replies is below ${scoreText(alert?.below ?? 0)}.`}
          />
        ))}
        {alerting.length > maxShown && (
          <LinkedItem
            icon={<Gauge aria-hidden size={20} className="bad-text" />}
            to="/monitors"
            title={`${count(alerting.length - maxShown)} more monitors`}
            text="Their scores are low, too."
          />
        )}
        {failedJobs > 0 && (
          <LinkedItem
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
