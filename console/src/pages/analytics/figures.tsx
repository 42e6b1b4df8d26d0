import { compact, count, dollars, milliseconds, percent } from '../../ui/format.ts'
import { Card, Stat } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import type { ConversationAnalytics } from './period.ts'

const time = (value: number | null): string => (value === null ? '–' : milliseconds(value))

export function Figures({ analytics }: { analytics: ConversationAnalytics }) {
  const { conversations, messages, users, feedback, errors, tokens, cost } = analytics
  const speeds = [
    { name: 'Full reply', ...analytics.latency_ms },
    { name: 'First token', ...analytics.time_to_first_token_ms },
  ]
  return (
    <>
      <div className="columns stats">
        <Stat
          label="Conversations"
          value={count(conversations.total)}
          note={`${count(conversations.active)} active, ${count(conversations.completed)} completed`}
        />
        <Stat
          label="Messages"
          value={count(messages.total)}
          note={`${messages.average_per_conversation.toFixed(1)} per conversation`}
        />
        <Stat label="Users" value={count(users.unique)} note="who sent a message" />
        <Stat
          label="Satisfaction"
          value={feedback.satisfaction_rate === null ? '–' : percent(feedback.satisfaction_rate)}
          note={
            feedback.up + feedback.down === 0
              ? 'no ratings yet'
              : `${count(feedback.up)} up, ${count(feedback.down)} down`
          }
        />
        <Stat label="Errors" value={percent(errors.rate)} note={`${count(errors.total)} failed`} />
        <Stat
          label="Cost"
          value={dollars(cost)}
          note={`${compact(tokens.input)} tokens in, ${compact(tokens.output)} out`}
        />
      </div>
      <Card title="Response time">
        <Table
          label="Response time"
          rows={speeds}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Time to', cell: ({ name }) => name },
            { title: 'p50', numeric: true, cell: ({ p50 }) => time(p50) },
            { title: 'p95', numeric: true, cell: ({ p95 }) => time(p95) },
            { title: 'p99', numeric: true, cell: ({ p99 }) => time(p99) },
          ]}
        />
      </Card>
    </>
  )
}
