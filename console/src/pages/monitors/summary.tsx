import type { Schemas } from '@parley/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { TimeChart } from '../../ui/chart/time-chart.tsx'
import type { Tone } from '../../ui/chart/types.ts'
import { count, dayName, dollars, percent, scoreText } from '../../ui/format.ts'
import { Card, Stat } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { scorerLabel } from '../evaluations/scorer-label.ts'
import type { Monitor } from './draft.ts'

const pollInterval = 10_000
const tones: Tone[] = ['accent', 'series-2', 'series-3', 'series-4', 'series-5']

/** The last 30 days: means, versions, time, and whether the judge can be trusted. */
export function Summary({ monitor: { id, daily_budget, spent_today } }: { monitor: Monitor }) {
  const summary = useQuery({
    queryKey: ['monitors', id, 'summary'],
    queryFn: ({ signal }) => parley.monitors.summary(id, {}, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: pollInterval,
  })
  const agreement = useQuery({
    queryKey: ['monitors', id, 'agreement'],
    queryFn: ({ signal }) => parley.monitors.agreement(id, { signal }),
  })
  if (summary.error) return <ErrorPanel error={summary.error} onRetry={() => void summary.refetch()} />
  if (!summary.data) return <Loading />
  const { replies, cost, scorers, by_version, by_label, timeline } = summary.data
  if (scorers.length === 0)
    return (
      <Empty icon={Gauge} title="No scores yet">
        {emptyText(replies)}
      </Empty>
    )
  return (
    <div className="stack">
      <div className="columns stats">
        <Stat
          label="Replies scored"
          value={count(replies.scored)}
          note={`${count(replies.over_budget)} over budget, ${count(replies.hidden)} hidden, ${count(replies.failed)} failed`}
        />
        {scorers.map(({ scorer, mean, ci95, pass_rate }) => (
          <Stat
            key={scorer}
            label={scorerLabel(scorer)}
            value={scoreText(mean)}
            note={`${ci95 ? `95% CI ${ci95.map(scoreText).join('–')}, ` : ''}${percent(pass_rate)} passed`}
          />
        ))}
        <Agreement agreement={agreement.data} />
        <Stat label="Cost" value={dollars(cost)} note={`today ${dollars(spent_today)} of ${dollars(daily_budget)}`} />
      </div>
      <Card>
        <TimeChart
          title="Mean scores"
          kind="lines"
          times={timeline.map(({ start }) => start.slice(0, 10))}
          series={scorers.map(({ scorer }, at) => ({
            name: scorerLabel(scorer),
            tone: tones[at % tones.length] ?? 'accent',
            values: timeline.map((step) => step.scorers.find((each) => each.scorer === scorer)?.mean ?? null),
          }))}
          format={scoreText}
          label={dayName}
        />
      </Card>
      <Scores
        title="By version"
        of="Version"
        groups={by_version.map((each) => ({ ...each, name: String(each.agent_version ?? '–') }))}
      />
      {by_label.length > 0 && (
        <Scores title="By label" of="Label" groups={by_label.map((each) => ({ ...each, name: each.label }))} />
      )}
    </div>
  )
}

interface ScoresProps {
  title: string
  of: string
  groups: { name: string; scorers: Schemas['MonitorSummary']['scorers'] }[]
}

const Scores = ({ title, of, groups }: ScoresProps) => (
  <Card title={title}>
    <Table
      label={`Scores ${title.toLowerCase()}`}
      rows={groups.flatMap(({ name, scorers }) => scorers.map((scorer) => ({ ...scorer, name })))}
      rowKey={({ name, scorer }) => `${name} ${scorer}`}
      columns={[
        { title: of, cell: ({ name }) => name },
        { title: 'Scorer', cell: ({ scorer }) => scorerLabel(scorer) },
        { title: 'Mean', numeric: true, cell: ({ mean }) => scoreText(mean) },
        {
          title: '95% CI',
          numeric: true,
          minor: true,
          cell: ({ ci95 }) => (ci95 ? ci95.map(scoreText).join('–') : '–'),
        },
        { title: 'Replies', numeric: true, cell: ({ n }) => count(n) },
      ]}
    />
  </Card>
)

const emptyText = ({ over_budget, failed, pending }: Schemas['MonitorSummary']['replies']): string =>
  over_budget > 0
    ? 'The daily budget is too small for a call of the judge.'
    : failed > 0
      ? 'Scoring has failed. A judge needs a model that works and has a price.'
      : pending > 0
        ? 'Replies are being scored.'
        : 'Replies are scored a few seconds after they are given.'

function Agreement({ agreement }: { agreement: Schemas['MonitorAgreement'] | undefined }) {
  const { n = 0, agreement: share = null, kappa = null, ci95 = null } = agreement ?? {}
  return (
    <Stat
      label="Judge and people agree"
      value={share === null ? '–' : percent(share)}
      note={
        share === null
          ? 'Review scored replies to find out'
          : `${count(n)} replies, 95% CI ${ci95?.map(percent).join('–')}${kappa === null ? '' : `, kappa ${scoreText(kappa)}`}`
      }
    />
  )
}
