import { Button } from '../../ui/button.tsx'
import { Swatch } from '../../ui/chart/swatch.tsx'
import { chooseTone } from '../../ui/chart/tones.ts'
import { costOfCalls, count, percent } from '../../ui/format.ts'
import { Table } from '../../ui/table.tsx'

export interface Figures {
  tokens: number
  cost: number
  requests: number
  unpriced_requests: number
}

interface SharesProps {
  label: string
  figures: Record<string, Figures>
  findName: (id: string) => string
  onChoose: (id: string) => void
}

/** Usage by model, agent or user, largest first. */
export function Shares({ label, figures, findName, onChoose }: SharesProps) {
  const rows = Object.entries(figures)
    .map(([id, each]) => ({ id, ...each }))
    .sort((one, other) => other.cost - one.cost || other.tokens - one.tokens)
  const isFree = rows.every(({ cost }) => cost === 0)
  const toAmount = ({ cost, tokens }: Figures) => (isFree ? tokens : cost)
  const total = rows.reduce((sum, row) => sum + toAmount(row), 0) || 1
  if (rows.length === 0) return <p className="muted">No usage in this period.</p>
  return (
    <Table
      label={label}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'Name',
          cell: ({ id }) => (
            <Button small variant="quiet" onClick={() => onChoose(id)}>
              <Swatch tone={chooseTone(id)} />
              {findName(id)}
            </Button>
          ),
        },
        {
          title: isFree ? 'Share of tokens' : 'Share of cost',
          minor: true,
          cell: (row) => (
            <span className="row nowrap">
              <progress
                className="share"
                aria-label={`Share of ${findName(row.id)}`}
                max={total}
                value={toAmount(row)}
              />
              <span className="small">{percent(toAmount(row) / total)}</span>
            </span>
          ),
        },
        { title: 'Calls', numeric: true, minor: true, cell: ({ requests }) => count(requests) },
        { title: 'Tokens', numeric: true, cell: ({ tokens }) => count(tokens) },
        { title: 'Cost', numeric: true, cell: costOfCalls },
      ]}
    />
  )
}
