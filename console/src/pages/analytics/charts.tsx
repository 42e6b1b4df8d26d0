import { BarChart } from '../../ui/chart.tsx'
import { compact, count, dollars } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import type { ConversationAnalytics } from './period.ts'

type Step = ConversationAnalytics['timeline'][number]

const days = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const hours = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
  timeZone: 'UTC',
})

const charts: { title: string; of: (step: Step) => number; format: (value: number) => string }[] = [
  { title: 'Conversations', of: ({ conversations }) => conversations, format: count },
  { title: 'Messages', of: ({ messages }) => messages, format: count },
  { title: 'Tokens', of: ({ tokens }) => tokens, format: compact },
  { title: 'Cost', of: ({ cost }) => cost, format: dollars },
  { title: 'Errors', of: ({ errors }) => errors, format: count },
]

/** The figures over time. */
export function Charts({ analytics }: { analytics: ConversationAnalytics }) {
  const { interval } = analytics.period
  const label = (start: string) => (interval === 'hour' ? hours : days).format(new Date(start))
  return (
    <div className="charts">
      {charts.map(({ title, of, format }) => (
        <Card key={title}>
          <BarChart
            title={title}
            format={format}
            bars={analytics.timeline.map((step) => ({ label: label(step.start), value: of(step) }))}
          />
        </Card>
      ))}
    </div>
  )
}
