import type { ReactNode } from 'react'
import { count, dollars, milliseconds, percent } from '../../ui/format.ts'
import { type Column, Table } from '../../ui/table.tsx'
import type { ConversationAnalytics } from './period.ts'

type VersionRow = ConversationAnalytics['by_version'][number]
type LabelRow = ConversationAnalytics['by_label'][number]
type Change = NonNullable<VersionRow['change']>
type Names = ConversationAnalytics['by_agent']

const agentName = (names: Names, id: string): string => names.find(({ agent_id }) => agent_id === id)?.name ?? id

const signed = (value: number, text: (value: number) => string): string =>
  value === 0 ? 'no change' : `${value < 0 ? '−' : '+'}${text(Math.abs(value))}`

/** A figure, and below it its difference to the version before. */
const Compared = ({ value, change }: { value: ReactNode; change?: string | null }) => (
  <>
    {value}
    {change && <span className="muted two-lines">{change}</span>}
  </>
)

/** The columns that versions and labels share. */
const figures = <Row extends LabelRow | VersionRow>(changeOf: (row: Row) => Change | null): Column<Row>[] => [
  { title: 'Replies', numeric: true, cell: ({ replies }) => count(replies) },
  {
    title: 'Satisfaction',
    numeric: true,
    cell: (row) => {
      const { satisfaction_rate: rate } = row.feedback
      const difference = changeOf(row)?.satisfaction_rate ?? null
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
      const change = changeOf(row)
      return <Compared value={percent(row.errors.rate)} change={change && signed(change.error_rate, percent)} />
    },
  },
  {
    title: 'Cost per reply',
    numeric: true,
    minor: true,
    cell: (row) => {
      const change = changeOf(row)
      return <Compared value={dollars(row.cost_per_reply)} change={change && signed(change.cost_per_reply, dollars)} />
    },
  },
  {
    title: 'p50 latency',
    numeric: true,
    minor: true,
    cell: (row) => {
      const { p50 } = row.latency_ms
      const difference = changeOf(row)?.latency_p50_ms ?? null
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
      keyOf={({ agent_id, version }) => `${agent_id} ${version}`}
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
        ...figures<VersionRow>(({ change }) => change),
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
      keyOf={({ agent_id, label }) => `${agent_id} ${label}`}
      columns={[
        { title: 'Label', cell: ({ agent_id, label }) => `${agentName(names, agent_id)}, ${label}` },
        ...figures<LabelRow>(() => null),
      ]}
    />
  )
