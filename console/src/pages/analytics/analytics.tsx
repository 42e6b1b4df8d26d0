import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { LinkButton } from '../../ui/button.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Breakdown } from './breakdown.tsx'
import { Charts } from './charts.tsx'
import { Figures } from './figures.tsx'
import { usePeriod } from './period.ts'
import { PeriodBar } from './period-bar.tsx'

export default function Analytics() {
  const period = usePeriod()
  const { start, end, agent, user, interval, withEvaluations } = period
  const analytics = useQuery({
    queryKey: ['analytics', start, end, agent, user, interval, withEvaluations],
    queryFn: ({ signal }) =>
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
    placeholderData: keepPreviousData,
  })
  const { data } = analytics
  return (
    <PageFrame title="Analytics" lead="Conversations, response times and feedback. Days are in UTC.">
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
          <Figures analytics={data} />
          <Charts analytics={data} />
          <Breakdown analytics={data} onAgent={(id) => period.change({ agent: id })} />
        </>
      )}
    </PageFrame>
  )
}
