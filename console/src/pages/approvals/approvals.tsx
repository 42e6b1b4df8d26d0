import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import type { Approval } from '../../api/approvals.ts'
import { parley } from '../../api/parley.ts'
import { useMe } from '../../api/permissions.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { FilterSelect, Pager, useListParams, useRedirectToLastPage } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { DecidedApproval, PendingApproval } from './approval-card.tsx'

const perPage = 20
const refreshEvery = 10_000

export default function Approvals() {
  const { search, change } = useListParams()
  const { data: me } = useMe()
  const shown = search.show === 'decided' ? 'decided' : 'waiting'
  return (
    <PageFrame
      title="Approvals"
      lead="Tool calls that a person decides about before they are made."
      {...(me?.role === 'user' && { back: { to: '/chat', label: 'Chat' } })}
    >
      <Tabs
        label="Approvals"
        value={shown}
        onChange={(next) => change({ show: next === 'decided' ? next : undefined, status: undefined, page: undefined })}
        tabs={[
          { value: 'waiting', label: 'Waiting', content: <Inbox status="pending" /> },
          { value: 'decided', label: 'Decided', content: <Decided /> },
        ]}
      />
    </PageFrame>
  )
}

type Status = Approval['status']
const outcomes: { value: Exclude<Status, 'pending'>; label: string }[] = [
  { value: 'approved', label: 'Approved' },
  { value: 'refused', label: 'Refused' },
  { value: 'expired', label: 'Expired' },
]

function Decided() {
  const { search } = useListParams()
  const { value } = outcomes.find((outcome) => outcome.value === search.status) ?? { value: 'approved' as const }
  return (
    <div className="stack">
      <div className="toolbar">
        <FilterSelect label="Outcome" name="status" all="Approved" options={outcomes.slice(1)} />
      </div>
      <Inbox status={value} />
    </div>
  )
}

function Inbox({ status }: { status: Status }) {
  const { page, change } = useListParams()
  const list = useQuery({
    queryKey: ['approvals', status, page],
    queryFn: ({ signal }) => parley.approvals.list({ status, page, limit: perPage }, { signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: status === 'pending' && refreshEvery,
    refetchOnWindowFocus: true,
  })
  const { data, error, isPending, refetch } = list
  const isRedirecting = useRedirectToLastPage(data?.pagination)
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (isPending || isRedirecting) return <Loading />
  if (data.data.length === 0)
    return (
      <Empty icon={ShieldCheck} title={status === 'pending' ? 'Nothing waits for approval' : 'None yet'}>
        {status === 'pending'
          ? 'When an agent wants to use a tool that needs approval, the call appears here.'
          : 'Calls that were decided about appear here.'}
      </Empty>
    )
  return (
    <div className="stack">
      <ul className="approvals" aria-label="Approvals">
        {data.data.map((approval) => (
          <li key={approval.id}>
            {approval.status === 'pending' ? (
              <PendingApproval approval={approval} />
            ) : (
              <DecidedApproval approval={approval} />
            )}
          </li>
        ))}
      </ul>
      <Pager pagination={data.pagination} onPage={(next) => change({ page: String(next) })} />
    </div>
  )
}
