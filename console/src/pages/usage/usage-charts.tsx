import { TimeChart } from '../../ui/chart/time-chart.tsx'
import type { Series, Tone } from '../../ui/chart/types.ts'
import type { dailyUsage } from '../../ui/days.ts'
import { compact, dayName, dollars } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'

type Daily = ReturnType<typeof dailyUsage>
type Metric = 'cost' | 'tokens'

interface UsageChartsProps {
  daily: Daily
  previous: Daily | undefined
  /** Whether each day is split into models, agents or users. */
  isGrouped: boolean
  nameOf: (id: string) => string
}

const charts: { title: string; metric: Metric; format: (value: number) => string }[] = [
  { title: 'Cost per day', metric: 'cost', format: dollars },
  { title: 'Tokens per day', metric: 'tokens', format: compact },
]

export const UsageCharts = ({ daily, previous, isGrouped, nameOf }: UsageChartsProps) => (
  <div className="columns">
    {charts.map(({ title, metric, format }) => (
      <Card key={title}>
        <TimeChart
          title={title}
          format={format}
          isCount={metric === 'tokens'}
          label={dayName}
          times={daily.map(({ date }) => date)}
          series={isGrouped ? groupsOf(daily, metric, nameOf) : [total(daily, metric)]}
          previous={previous?.map((each) => each[metric])}
        />
      </Card>
    ))}
  </div>
)

const total = (daily: Daily, metric: Metric): Series => ({
  name: metric === 'cost' ? 'Cost' : 'Tokens',
  tone: 'accent',
  values: daily.map((each) => each[metric]),
})

const tones: Tone[] = ['accent', 'series-2', 'series-3', 'series-4', 'series-5']

/** The largest groups by themselves, in the same colours in all charts, and the rest together. */
function groupsOf(daily: Daily, metric: Metric, nameOf: (id: string) => string): Series[] {
  const totals = new Map<string, number>()
  for (const { groups } of daily) for (const { id, tokens } of groups) totals.set(id, (totals.get(id) ?? 0) + tokens)
  const largest = [...totals].sort((one, other) => other[1] - one[1]).map(([id]) => id)
  const shown = largest.slice(0, tones.length)
  const series = shown.map(
    (id, index): Series => ({
      name: nameOf(id),
      tone: tones[index] ?? 'muted',
      values: daily.map(({ groups }) => groups.find((group) => group.id === id)?.[metric] ?? 0),
    }),
  )
  const rest = daily.map((each, day) =>
    Math.max(0, each[metric] - series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)),
  )
  // Differences of decimals are not exactly 0.
  return rest.some((value) => value > 1e-9) ? [...series, { name: 'Other', tone: 'muted', values: rest }] : series
}
