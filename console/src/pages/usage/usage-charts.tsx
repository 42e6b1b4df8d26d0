import { TimeChart } from '../../ui/chart/time-chart.tsx'
import { chooseTone } from '../../ui/chart/tones.ts'
import type { Series } from '../../ui/chart/types.ts'
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
  findName: (id: string) => string
}

const charts: { title: string; metric: Metric; format: (value: number) => string }[] = [
  { title: 'Cost per day', metric: 'cost', format: dollars },
  { title: 'Tokens per day', metric: 'tokens', format: compact },
]

export const UsageCharts = ({ daily, previous, isGrouped, findName }: UsageChartsProps) => (
  <div className="columns">
    {charts.map(({ title, metric, format }) => (
      <Card key={title}>
        <TimeChart
          title={metric === 'cost' && daily.some((day) => day.unpriced_requests > 0) ? `${title}, where known` : title}
          format={format}
          isCount={metric === 'tokens'}
          label={dayName}
          times={daily.map(({ date }) => date)}
          series={isGrouped ? groups(daily, metric, findName) : [total(daily, metric)]}
          previous={previous?.map((each) => known(each, metric))}
        />
      </Card>
    ))}
  </div>
)

const total = (daily: Daily, metric: Metric): Series => ({
  name: metric === 'cost' ? 'Cost' : 'Tokens',
  tone: 'accent',
  values: daily.map((each) => known(each, metric)),
})

/** Nothing is drawn, and no $0.00 is shown, where the price of the calls was not known. */
const known = (figures: Pick<Daily[number], Metric | 'unpriced_requests'>, metric: Metric): number | null =>
  metric === 'cost' && figures.cost === 0 && figures.unpriced_requests > 0 ? null : figures[metric]

const maxGroups = 5

/** The largest groups by themselves, in the same colours in all charts, and the rest together. */
function groups(daily: Daily, metric: Metric, findName: UsageChartsProps['findName']): Series[] {
  const totals = new Map<string, number>()
  for (const { groups } of daily) for (const { id, tokens } of groups) totals.set(id, (totals.get(id) ?? 0) + tokens)
  const largest = [...totals].sort((one, other) => other[1] - one[1]).map(([id]) => id)
  const shown = largest.slice(0, maxGroups)
  const series = shown.map(
    (id): Series => ({
      name: findName(id),
      tone: chooseTone(id),
      values: daily.map(({ groups }) => {
        const group = groups.find((each) => each.id === id)
        return group ? known(group, metric) : 0
      }),
    }),
  )
  const rest = daily.map((each, day) =>
    Math.max(0, each[metric] - series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)),
  )
  // Differences of decimals are not exactly 0.
  return rest.some((value) => value > 1e-9) ? [...series, { name: 'Other', tone: 'muted', values: rest }] : series
}
