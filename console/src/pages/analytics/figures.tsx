import { compact, count, dollars, milliseconds } from '../../ui/format.ts'
import { Card, Stat } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import type { ConversationAnalytics } from './period.ts'
import { share } from './share.ts'

const time = (value: number | null): string => (value === null ? '–' : milliseconds(value))

export function Figures({ analytics }: { analytics: ConversationAnalytics }) {
  const { conversations, messages, users, feedback, errors, tokens, cost } = analytics
  const speeds = [
    { name: 'Whole answer', ...analytics.latency_ms },
    { name: 'First words', ...analytics.time_to_first_token_ms },
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
          note={`${messages.average_per_conversation.toFixed(1)} in a conversation`}
        />
        <Stat label="People" value={count(users.unique)} note="who asked something" />
        <Stat
          label="Satisfied"
          value={feedback.satisfaction_rate === null ? '–' : share(feedback.satisfaction_rate)}
          note={
            feedback.up + feedback.down === 0
              ? 'nobody has rated a reply'
              : `${count(feedback.up)} up, ${count(feedback.down)} down`
          }
        />
        <Stat label="Errors" value={share(errors.rate)} note={`${count(errors.total)} of the replies`} />
        <Stat
          label="Cost"
          value={dollars(cost)}
          note={`${compact(tokens.input)} tokens in, ${compact(tokens.output)} out`}
        />
      </div>
      <Card title="How long an answer takes">
        <Table
          label="How long an answer takes"
          rows={speeds}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Until', cell: ({ name }) => name },
            { title: 'Half are faster', numeric: true, cell: ({ p50 }) => time(p50) },
            { title: '95 %', numeric: true, cell: ({ p95 }) => time(p95) },
            { title: '99 %', numeric: true, cell: ({ p99 }) => time(p99) },
          ]}
        />
      </Card>
    </>
  )
}
