import { compact, costOfCalls, count, decimal, milliseconds, percent } from '../../ui/format.ts'
import { Card, Stat } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import type { ConversationAnalytics } from './period.ts'

const time = (value: number | null): string => (value === null ? '–' : milliseconds(value))

interface FiguresProps {
  analytics: ConversationAnalytics
  previous: ConversationAnalytics | undefined
}

export function Figures({ analytics, previous }: FiguresProps) {
  const { conversations, messages, users, feedback, errors, tokens } = analytics
  const speeds = [
    { name: 'Full reply', ...analytics.latency_ms },
    { name: 'First token', ...analytics.time_to_first_token_ms },
  ]
  const before = (format: (value: number) => string, of: (figures: ConversationAnalytics) => number) =>
    previous && `${format(of(previous))} before`
  return (
    <>
      <div className="columns stats">
        <Stat
          label="Conversations"
          value={count(conversations.total)}
          note={
            before(count, (figures) => figures.conversations.total) ??
            `${count(conversations.active)} active, ${count(conversations.completed)} completed`
          }
        />
        <Stat
          label="Messages"
          value={count(messages.total)}
          note={
            before(count, (figures) => figures.messages.total) ??
            (conversations.total > 0 && `${decimal(messages.total / conversations.total)} per conversation`)
          }
        />
        <Stat
          label="Users"
          value={count(users.unique)}
          note={before(count, (figures) => figures.users.unique) ?? 'who sent a message'}
        />
        <Stat
          label="Satisfaction"
          value={feedback.satisfaction_rate === null ? '–' : percent(feedback.satisfaction_rate)}
          note={
            feedback.up + feedback.down === 0
              ? 'no ratings yet'
              : `${count(feedback.up)} up, ${count(feedback.down)} down`
          }
        />
        <Stat
          label="Errors"
          tone={errors.total > 0 ? 'bad' : 'plain'}
          value={percent(errors.rate)}
          note={before(percent, (figures) => figures.errors.rate) ?? `${count(errors.total)} failed`}
        />
        <Stat
          label="Cost"
          value={costOfCalls(analytics)}
          note={
            (previous && `${costOfCalls(previous)} before`) ??
            `${compact(tokens.input)} tokens in, ${compact(tokens.output)} out`
          }
        />
      </div>
      <Card title="Response time">
        <Table
          label="Response time"
          rows={speeds}
          rowKey={({ name }) => name}
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
