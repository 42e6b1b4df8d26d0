import { TimeChart } from '../../ui/chart/time-chart.tsx'
import type { Series, Tone } from '../../ui/chart/types.ts'
import { compact, count, dollars, milliseconds } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import type { ConversationAnalytics } from './period.ts'

type Step = ConversationAnalytics['timeline'][number]

const days = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const hours = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

interface Chart {
  title: string
  kind: 'bars' | 'lines'
  series: { name: string; tone: Tone; of: (step: Step) => number | null }[]
  format: (value: number) => string
  isCount?: boolean
}

const sum = (title: string, of: (step: Step) => number, format: (value: number) => string, tone: Tone = 'accent') =>
  ({ title, kind: 'bars', series: [{ name: title, tone, of }], format, isCount: format !== dollars }) satisfies Chart

const charts: Chart[] = [
  sum('Conversations', ({ conversations }) => conversations, count),
  sum('Messages', ({ messages }) => messages, count),
  sum('Tokens', ({ tokens }) => tokens, compact),
  sum('Cost', ({ cost }) => cost, dollars),
  sum('Errors', ({ errors }) => errors, count, 'bad'),
  {
    title: 'Response time',
    kind: 'lines',
    series: [
      { name: 'p50', tone: 'accent', of: ({ latency_ms: { p50 } }) => p50 },
      { name: 'p95', tone: 'series-2', of: ({ latency_ms: { p95 } }) => p95 },
    ],
    format: (value) => milliseconds(Math.round(value)),
  },
]

interface ChartsProps {
  analytics: ConversationAnalytics
  /** The period before, of the same length. */
  previous: ConversationAnalytics | undefined
  onZoom: (from: string, to: string) => void
}

/** The figures over time. */
export function Charts({
  analytics: { timeline, period, unpriced_requests: unpriced },
  previous,
  onZoom,
}: ChartsProps) {
  /** Where prices were not known, a cost of nothing is no figure. */
  const isUnknown = (title: string, value: number | null) => title === 'Cost' && unpriced > 0 && value === 0
  const now = Date.now()
  const past = timeline.filter(({ start }) => Date.parse(start) <= now)
  const label = (start: string) => (period.interval === 'hour' ? hours : days).format(new Date(start))
  return (
    <div className="charts">
      {charts.map(({ title, kind, series, format, isCount = false }) => (
        <Card key={title}>
          <TimeChart
            title={title === 'Cost' && unpriced > 0 ? 'Cost, where known' : title}
            kind={kind}
            format={format}
            isCount={isCount}
            label={label}
            times={past.map(({ start }) => start)}
            series={series.map(
              ({ name, tone, of }): Series => ({
                name,
                tone,
                values: past.map((step) => (isUnknown(title, of(step)) ? null : of(step))),
              }),
            )}
            previous={previous && past.map((_, at) => valueAt(previous.timeline[at], series[0]?.of))}
            onZoom={onZoom}
          />
        </Card>
      ))}
    </div>
  )
}

const valueAt = (step: Step | undefined, of: ((step: Step) => number | null) | undefined): number | null =>
  step && of ? of(step) : null
