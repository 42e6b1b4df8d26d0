import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { saveAs } from '../../api/save-as.ts'
import { Button } from '../../ui/button.tsx'
import { bytes, count, dateTime } from '../../ui/format.ts'
import { Badge, type Tone } from '../../ui/page.tsx'
import { showError } from '../../ui/toasts.tsx'

export type UserJob = Schemas['UserJob']

const tones: Record<UserJob['status'], Tone> = { queued: 'plain', running: 'accent', completed: 'good', failed: 'bad' }
const pollInterval = 1000
export const isOver = ({ status }: Pick<UserJob, 'status'>): boolean => status === 'completed' || status === 'failed'

/** A job, read again until it is over. */
export const useJob = (id: string | undefined) =>
  useQuery({
    queryKey: ['user-jobs', id],
    queryFn: ({ signal }) => parley.users.jobs.get(id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : pollInterval),
  })

export const JobStatus = ({ status }: { status: UserJob['status'] }) => (
  <span role="status">
    <Badge tone={tones[status]}>{status}</Badge>
  </span>
)

/** The number of erased rows by kind. */
export const Receipt = ({ job }: { job: UserJob }) => (
  <dl className="facts">
    {Object.entries(job.receipt).map(([kind, number]) => (
      <Fact key={kind} name={kind.replaceAll('_', ' ')} value={count(number)} />
    ))}
    <Fact name="finished" value={job.finished_at ? dateTime(job.finished_at) : '–'} />
    <dt>reference</dt>
    <dd>
      <code className="small">{job.subject}</code>
    </dd>
    <dt>receipt</dt>
    <dd>
      <code className="small">{job.id}</code>
    </dd>
  </dl>
)

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)

/** The file of an export, once it is written. */
export function ExportedFile({ job }: { job: UserJob }) {
  const [isBusy, setBusy] = useState(false)
  const { file } = job
  if (job.status === 'failed') return <p className="notice bad">{job.error}</p>
  if (job.status !== 'completed') return <p className="muted">Writing the archive…</p>
  if (!file) return <p className="muted">The file has expired. Export again.</p>
  const download = async () => {
    setBusy(true)
    try {
      await saveAs(await parley.users.jobs.content(job.id), file.name)
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p>
        {bytes(file.size)} <span className="muted">· deleted on {dateTime(file.expires_at)}</span>
      </p>
      <Button icon={Download} busy={isBusy} onClick={() => void download()}>
        Download
      </Button>
    </>
  )
}
