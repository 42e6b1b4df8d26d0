import { isParleyError } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useStatus } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { TimeChart } from '../../ui/chart/time-chart.tsx'
import { dailyUsage } from '../../ui/days.ts'
import { compact, costOfCalls, count, dayName, dollars, isoDay, percent } from '../../ui/format.ts'
import { Badge, Card, PageFrame, Stat } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { GettingStarted } from './getting-started.tsx'
import { Guide, useGuide } from './guide.tsx'
import { OwnDocuments } from './own-documents.tsx'
import { Recent } from './recent.tsx'
import { RecentAgents } from './recent-agents.tsx'
import { Waiting } from './waiting.tsx'

const days = 14
const firstDay = 86_400_000

interface Today {
  conversations: { total: number }
  errors: { total: number; rate: number }
}

/** Today's conversations and errors, if the server has analytics. */
const useToday = (enabled: boolean) =>
  useQuery({
    queryKey: ['analytics', 'today'],
    queryFn: async ({ signal }): Promise<Today | null> => {
      const query = { start_date: isoDay(), end_date: isoDay() }
      try {
        return await parley.analytics.conversations(query, { signal })
      } catch (error) {
        if (isParleyError(error, 'not_found')) return null
        throw error
      }
    },
    enabled,
    staleTime: 60_000,
  })

export default function Home() {
  const may = useMay()
  const me = useMe()
  const personName = usePersonName()
  const status = useStatus()
  const [start, end] = [isoDay(days - 1), isoDay()]
  const costs = useQuery({
    queryKey: ['usage', 'costs', start, end],
    queryFn: ({ signal }) => parley.usage.costs({ start_date: start, end_date: end }, { signal }),
    enabled: may('read-configuration'),
  })
  const guide = useGuide(may('converse'))
  const [isAsked, setIsAsked] = useState(false)
  const today = useToday(may('read-configuration'))
  if (status.error) return <ErrorPanel error={status.error} onRetry={() => void status.refetch()} />
  if (!status.data) return <PageFrame title="Home">{<Loading />}</PageFrame>

  // The guide is made when the workspace is.
  const isFirstDay = guide.data ? Date.now() - Date.parse(guide.data.created_at) < firstDay : guide.isLoading
  const isGuideShown = guide.data && (isFirstDay || isAsked)
  const { counts, jobs, version } = status.data
  const isOperational = status.data.status === 'operational'
  const daily = costs.data && dailyUsage(costs.data, start, end)
  const todaysUsage = daily?.at(-1)
  return (
    <PageFrame
      title={`Welcome${me.data?.user_id ? `, ${personName(me.data.user_id)}` : ''}`}
      lead={`Workspace “${me.data?.workspace.name ?? ''}” · Parley ${version}`}
      actions={
        <>
          {guide.data && !isFirstDay && (
            <Button small icon={Sparkles} aria-expanded={isAsked} onClick={() => setIsAsked(!isAsked)}>
              Ask the guide
            </Button>
          )}
          <Link to="/status">
            <Badge tone={isOperational ? 'good' : 'bad'}>
              {isOperational ? 'All systems operational' : 'Degraded'}
            </Badge>
          </Link>
        </>
      }
    >
      <Waiting />
      {!isFirstDay && (
        <div className="columns">
          <Recent />
          <RecentAgents />
        </div>
      )}
      <div className={may('write-configuration') && isGuideShown ? 'first-minute' : 'stack'}>
        {isGuideShown && guide.data && <Guide id={guide.data.id} name={guide.data.name} />}
        {may('write-configuration') && (
          <div className="stack">
            <OwnDocuments />
            <GettingStarted />
          </div>
        )}
      </div>
      <div className="columns stats">
        {today.data && <Stat label="Conversations today" value={count(today.data.conversations.total)} />}
        {todaysUsage && (
          <Stat label="Cost today" value={costOfCalls(todaysUsage)} note={`${compact(todaysUsage.tokens)} tokens`} />
        )}
        {today.data && (
          <Stat
            label="Errors today"
            tone={today.data.errors.total > 0 ? 'bad' : 'plain'}
            value={count(today.data.errors.total)}
            note={`${percent(today.data.errors.rate)} of replies`}
          />
        )}
        <Stat label="Agents" value={count(counts.agents ?? 0)} />
        {may('read-configuration') && <Stat label="Conversations" value={count(counts.conversations ?? 0)} />}
        {may('administer') && jobs.running !== null && (
          <Stat
            label="Background jobs"
            value={count(jobs.running)}
            note={jobs.failed ? `${count(jobs.failed)} failed` : 'running, none failed'}
          />
        )}
      </div>
      {daily?.some(({ tokens }) => tokens > 0) && (
        <div className="columns">
          <Card>
            <TimeChart
              title="Tokens, last 14 days"
              isCount
              format={compact}
              label={dayName}
              times={daily.map(({ date }) => date)}
              series={[{ name: 'Tokens', tone: 'accent', values: daily.map(({ tokens }) => tokens) }]}
            />
          </Card>
          {daily.some(({ cost }) => cost > 0) && (
            <Card>
              <TimeChart
                title="Cost, last 14 days"
                format={dollars}
                label={dayName}
                times={daily.map(({ date }) => date)}
                series={[{ name: 'Cost', tone: 'accent', values: daily.map(({ cost }) => cost) }]}
              />
            </Card>
          )}
        </div>
      )}
      {isFirstDay && <Recent />}
    </PageFrame>
  )
}
