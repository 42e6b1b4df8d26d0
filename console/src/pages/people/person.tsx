import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Download, MessagesSquare, UserX } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { costOfCalls, count, dateTime } from '../../ui/format.ts'
import { Badge, Card, PageFrame, Stat } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Access } from './access.tsx'
import { EraseDialog } from './erase.tsx'
import { Groups } from './groups.tsx'
import { ExportedFile, isOver, JobStatus, useJob } from './job.tsx'

type User = Schemas['User']
const back = { to: '/people', label: 'People' }

export default function PersonPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const person = useQuery({ queryKey: ['users', id], queryFn: ({ signal }) => parley.users.get(id, { signal }) })
  const [isErasing, setErasing] = useState(false)
  const last = useQuery({
    queryKey: ['user-jobs', 'of', id],
    queryFn: ({ signal }) => parley.users.jobs.list({ person_id: id, kind: 'export', limit: 1 }, { signal }).page(),
  })
  const start = useSave({ invalidates: ['user-jobs'], run: () => parley.users.export(id) })
  const job = useJob(start.data?.id ?? last.data?.data[0]?.id)
  if (person.error) return <ErrorPanel error={person.error} onRetry={() => void person.refetch()} />
  if (!person.data)
    return (
      <PageFrame title="Person" back={back}>
        <Loading />
      </PageFrame>
    )
  const user = person.data
  return (
    <PageFrame
      title={user.name ?? user.user_id}
      back={back}
      actions={
        <>
          <Button
            icon={Download}
            busy={start.isPending || (job.data !== undefined && !isOver(job.data))}
            onClick={() => start.mutate(undefined)}
          >
            Export
          </Button>
          <Button variant="danger" icon={UserX} onClick={() => setErasing(true)}>
            Erase
          </Button>
        </>
      }
    >
      <div className="columns stats">
        <Stat label="Conversations" value={count(user.conversations)} />
        <Stat label="Requests" value={count(user.usage.requests)} />
        <Stat label="Tokens" value={count(user.usage.tokens)} />
        <Stat label="Cost" value={costOfCalls(user.usage)} />
      </div>
      <Facts user={user} />
      <Access user={user} />
      {job.data && (
        <Card title="Export" actions={<JobStatus status={job.data.status} />}>
          <ExportedFile job={job.data} />
        </Card>
      )}
      {isErasing && <EraseDialog user={user} onClose={() => setErasing(false)} />}
    </PageFrame>
  )
}

const Facts = ({ user }: { user: User }) => (
  <Card
    title="Person"
    actions={
      user.conversations > 0 && (
        <LinkButton icon={MessagesSquare} to="/conversations" search={{ user: user.user_id }}>
          Conversations
        </LinkButton>
      )
    }
  >
    <dl className="facts">
      <dt>User ID</dt>
      <dd>
        <code>{user.user_id}</code>
      </dd>
      <dt>Role</dt>
      <dd>{user.role ? <Badge>{user.role}</Badge> : 'Others act for this person'}</dd>
      <dt>Groups</dt>
      <dd>
        <Groups groups={user.groups} />
      </dd>
      <dt>First seen</dt>
      <dd>{dateTime(user.first_seen_at)}</dd>
      <dt>Last seen</dt>
      <dd>{dateTime(user.last_seen_at)}</dd>
    </dl>
  </Card>
)
