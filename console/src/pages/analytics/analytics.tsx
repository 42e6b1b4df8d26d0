import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { ExportCsv } from '../../parts/export-csv.tsx'
import { periodBefore } from '../../parts/period.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Breakdown } from './breakdown.tsx'
import { Charts } from './charts.tsx'
import { Figures } from './figures.tsx'
import { type Period, usePeriod } from './period.ts'
import { PeriodBar } from './period-bar.tsx'

export default function Analytics() {
  const period = usePeriod()
  const { start, end, isCompared } = period
  const analytics = useQuery({ ...queryFor(period, { start, end }), placeholderData: keepPreviousData })
  const before = useQuery({ ...queryFor(period, periodBefore(start, end)), enabled: isCompared })
  const { data } = analytics
  return (
    <PageFrame
      title="Analytics"
      lead="Conversations, response times and feedback. Days are in UTC."
      actions={
        data && (
          <ExportCsv
            name={`analytics-${start}-${end}.csv`}
            rows={() => [
              ['Start', 'Conversations', 'Messages', 'Tokens', 'Cost (USD)', 'Errors', 'p50 (ms)', 'p95 (ms)'],
              ...data.timeline.map((step) => [
                ...[
                  step.start,
                  step.conversations,
                  step.messages,
                  step.tokens,
                  data.unpriced_requests > 0 && step.cost === 0 ? '' : step.cost,
                  step.errors,
                ],
                ...[step.latency_ms.p50, step.latency_ms.p95],
              ]),
            ]}
          />
        )
      }
    >
      <PeriodBar {...period} />
      {analytics.error && <ErrorPanel error={analytics.error} onRetry={() => void analytics.refetch()} />}
      {analytics.isPending && <Loading />}
      {!analytics.error && data && data.messages.total === 0 && data.conversations.total === 0 && (
        <Empty
          icon={ChartLine}
          title="No conversations in this period"
          action={
            <LinkButton variant="primary" to="/agents">
              Choose an agent
            </LinkButton>
          }
        >
          Choose another period, or chat with an agent to see activity, topics, response times and feedback.
        </Empty>
      )}
      {!analytics.error && data && (data.messages.total > 0 || data.conversations.total > 0) && (
        <>
          <Figures analytics={data} previous={isCompared ? before.data : undefined} />
          <Charts
            analytics={data}
            previous={isCompared ? before.data : undefined}
            onZoom={(from, to) => period.change(zoomed(from, to, period.interval))}
          />
          <Breakdown analytics={data} onAgent={(id) => period.change({ agent: id })} />
        </>
      )}
    </PageFrame>
  )
}

const queryFor = (
  { agent, user, interval, withEvaluations }: Period,
  { start, end }: { start: string; end: string },
) => ({
  queryKey: ['analytics', start, end, agent, user, interval, withEvaluations],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    parley.analytics.conversations(
      {
        start_date: start,
        end_date: end,
        agent_id: agent,
        user_id: user,
        interval,
        include_evaluations: withEvaluations || undefined,
      },
      { signal },
    ),
})

/** A range of one or two days is shown by hour. */
function zoomed(from: string, to: string, interval: Period['interval']) {
  const [start, last] = [from.slice(0, 10), Date.parse(to) + (interval === 'week' ? 6 * 86_400_000 : 0)]
  const end = new Date(Math.min(last, Date.now())).toISOString().slice(0, 10)
  const isShort = Date.parse(end) - Date.parse(start) <= 86_400_000
  return { from: start, to: end, interval: isShort ? 'hour' : interval === 'week' ? 'day' : interval }
}
