import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMe } from '../../api/permissions.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { count } from '../../ui/format.ts'
import { FilterSelect, MoreFilters, useListParams } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { reasonLabels } from './labels.ts'
import { ReviewForm } from './review-form.tsx'

const batch = 25

/** The queue, one reply at a time. */
export default function Reviews() {
  const { search } = useListParams()
  const { data: me } = useMe()
  const agents = useAgents().data ?? []
  const { reason, agent_id, mine, status = 'open' } = search
  const query = {
    status: status === 'done' ? 'done' : 'open',
    ...(reason && { reason }),
    ...(agent_id && { agent_id }),
    ...(mine && me?.user_id && { assigned_to: me.user_id }),
    order: 'asc',
    limit: batch,
  }
  const filters = JSON.stringify(query)
  const start = { filters, page: 1, skipped: [] as readonly string[] }
  const [kept, setPlace] = useState(start)
  const place = kept.filters === filters ? kept : start
  const queue = useQuery({
    queryKey: ['reviews', 'queue', query, place.page],
    queryFn: ({ signal }) =>
      parley.reviews
        .list({ ...query, page: place.page } as Parameters<typeof parley.reviews.list>[0], { signal })
        .page(),
  })
  const { data, error, isPending, refetch } = queue
  const waiting = (data?.data ?? []).filter(({ id }) => !place.skipped.includes(id))
  const review = waiting[0] ?? data?.data[0]
  // After the last one, those that were skipped come again.
  const skip = (id: string) => {
    if (waiting.length > 1) return setPlace({ ...place, skipped: [...place.skipped, id] })
    const isLast = place.page >= (data?.pagination.pages ?? 1)
    setPlace(isLast ? start : { ...start, page: place.page + 1 })
  }
  // The last page is empty once its replies are reviewed.
  if (data && !review && place.page > 1) setPlace(start)
  return (
    <PageFrame
      title="Reviews"
      lead={
        data
          ? `${count(data.pagination.total)} ${query.status === 'done' ? 'reviewed' : 'to review'}`
          : 'Replies to look at'
      }
    >
      <div className="toolbar">
        <FilterSelect label="Status" name="status" all="Open" options={[{ value: 'done', label: 'Done' }]} />
        <MoreFilters names={['reason', 'agent_id', 'mine']}>
          <FilterSelect
            label="Reason"
            name="reason"
            all="All reasons"
            options={Object.entries(reasonLabels).map(([value, label]) => ({ value, label }))}
          />
          <FilterSelect label="Agent" name="agent_id" all="All agents" options={toOptions(agents)} />
          {me?.user_id && (
            <FilterSelect label="Assigned to" name="mine" all="Anyone" options={[{ value: 'yes', label: 'Me' }]} />
          )}
        </MoreFilters>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && !review && (
        <Empty icon={ListChecks} title={query.status === 'done' ? 'Nothing reviewed yet' : 'Nothing to review'}>
          Replies come here when somebody rates them down, a monitor scores them low, they fail, or they are in a
          sample.
        </Empty>
      )}
      {review && <ReviewForm key={review.id} review={review} onNext={() => skip(review.id)} />}
    </PageFrame>
  )
}
