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
  tones: ReadonlyMap<string, Tone>
}

const charts: { title: string; metric: Metric; format: (value: number) => string }[] = [
  { title: 'Cost per day', metric: 'cost', format: dollars },
  { title: 'Tokens per day', metric: 'tokens', format: compact },
]

export const UsageCharts = ({ daily, previous, isGrouped, nameOf, tones }: UsageChartsProps) => (
  <div className="columns">
    {charts.map(({ title, metric, format }) => (
      <Card key={title}>
        <TimeChart
          title={title}
          format={format}
          isCount={metric === 'tokens'}
          label={dayName}
          times={daily.map(({ date }) => date)}
          series={isGrouped ? groups(daily, metric, nameOf, tones) : [total(daily, metric)]}
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

const maxGroups = 5

/** The largest groups by themselves, in the same colours in all charts, and the rest together. */
function groups(
  daily: Daily,
  metric: Metric,
  nameOf: UsageChartsProps['nameOf'],
  tones: UsageChartsProps['tones'],
): Series[] {
  const totals = new Map<string, number>()
  for (const { groups } of daily) for (const { id, tokens } of groups) totals.set(id, (totals.get(id) ?? 0) + tokens)
  const largest = [...totals].sort((one, other) => other[1] - one[1]).map(([id]) => id)
  const shown = largest.slice(0, maxGroups)
  const series = shown.map(
    (id): Series => ({
      name: nameOf(id),
      tone: tones.get(id) ?? 'accent',
      values: daily.map(({ groups }) => groups.find((group) => group.id === id)?.[metric] ?? 0),
    }),
  )
  const rest = daily.map((each, day) =>
    Math.max(0, each[metric] - series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)),
  )
  // Differences of decimals are not exactly 0.
  return rest.some((value) => value > 1e-9) ? [...series, { name: 'Other', tone: 'muted', values: rest }] : series
}
