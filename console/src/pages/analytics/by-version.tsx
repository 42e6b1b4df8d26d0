import type { ReactNode } from 'react'
import { costText, count, dollars, milliseconds, percent } from '../../ui/format.ts'
import { type Column, Table } from '../../ui/table.tsx'
import type { ConversationAnalytics } from './period.ts'

type VersionRow = ConversationAnalytics['by_version'][number]
type LabelRow = ConversationAnalytics['by_label'][number]
type Change = NonNullable<LabelRow['change']>
type Names = ConversationAnalytics['by_agent']

const agentName = (names: Names, id: string): string =>
  names.find(({ agent_id }) => agent_id === id)?.name ?? 'Deleted agent'

const signed = (value: number, text: (value: number) => string): string =>
  value === 0 ? 'no change' : `${value < 0 ? '−' : '+'}${text(Math.abs(value))}`

/** A figure, and below it its difference to the version before, or to production. */
const Compared = ({ value, change }: { value: ReactNode; change?: string | null }) => (
  <>
    {value}
    {change && <span className="muted two-lines">{change}</span>}
  </>
)

const CostPerReply = ({ cost, change, isKnown }: { cost: number; change: number | null; isKnown: boolean }) => (
  <Compared value={costText(cost, isKnown)} change={change === null || !isKnown ? null : signed(change, dollars)} />
)

const isCostKnown = (names: Names, id: string): boolean =>
  names.every(({ agent_id, unpriced_requests: unpriced }) => agent_id !== id || unpriced === 0)

/** The columns that versions and labels share. */
const figures = <Row extends LabelRow | VersionRow>(
  names: Names,
  findChange: (row: Row) => Change | null,
): Column<Row>[] => [
  { title: 'Replies', numeric: true, cell: ({ replies }) => count(replies) },
  {
    title: 'Satisfaction',
    numeric: true,
    cell: (row) => {
      const { satisfaction_rate: rate } = row.feedback
      const difference = findChange(row)?.satisfaction_rate ?? null
      return (
        <Compared
          value={rate === null ? '–' : percent(rate)}
          change={difference === null ? null : signed(difference, percent)}
        />
      )
    },
  },
  {
    title: 'Errors',
    numeric: true,
    minor: true,
    cell: (row) => {
      const change = findChange(row)
      const rate = <span className={row.errors.rate > 0 ? 'bad-text' : ''}>{percent(row.errors.rate)}</span>
      return <Compared value={rate} change={change && signed(change.error_rate, percent)} />
    },
  },
  {
    title: 'Cost per reply',
    numeric: true,
    minor: true,
    cell: (row) => (
      <CostPerReply
        cost={row.cost_per_reply}
        change={findChange(row)?.cost_per_reply ?? null}
        isKnown={isCostKnown(names, row.agent_id)}
      />
    ),
  },
  {
    title: 'p50 latency',
    numeric: true,
    minor: true,
    cell: (row) => {
      const { p50 } = row.latency_ms
      const difference = findChange(row)?.latency_p50_ms ?? null
      return (
        <Compared
          value={p50 === null ? '–' : milliseconds(p50)}
          change={difference === null ? null : signed(difference, milliseconds)}
        />
      )
    },
  },
]

export const Versions = ({ rows, names }: { rows: VersionRow[]; names: Names }) =>
  rows.length === 0 ? (
    <p className="muted">No replies in this period.</p>
  ) : (
    <Table
      label="By version"
      rows={rows}
      rowKey={({ agent_id, version }) => `${agent_id} ${version}`}
      columns={[
        {
          title: 'Version',
          cell: ({ agent_id, version, change }) => (
            <Compared
              value={`${agentName(names, agent_id)}, version ${version}`}
              change={change && `compared with version ${change.version}`}
            />
          ),
        },
        ...figures<VersionRow>(names, ({ change }) => change),
      ]}
    />
  )

export const Labels = ({ rows, names }: { rows: LabelRow[]; names: Names }) =>
  rows.length === 0 ? (
    <p className="muted">No replies of labelled versions in this period. Label a version on the page of its agent.</p>
  ) : (
    <Table
      label="By label"
      rows={rows}
      rowKey={({ agent_id, label }) => `${agent_id} ${label}`}
      columns={[
        {
          title: 'Label',
          cell: ({ agent_id, label, change }) => (
            <Compared value={`${agentName(names, agent_id)}, ${label}`} change={change && 'compared with production'} />
          ),
        },
        ...figures<LabelRow>(names, ({ change }) => change),
      ]}
    />
  )
