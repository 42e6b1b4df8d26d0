import { useState } from 'react'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { count, fixed, percent, scoreText } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import type { Comparison } from './draft.ts'
import { headline } from './headline.ts'
import { Answer } from './result-row.tsx'
import { useCaseResult } from './runs.ts'
import { scorerLabel } from './scorer-label.ts'

type Difference = Comparison['pass_rate']
type Changed = Comparison['changed'][number]

interface ComparisonProps {
  id: string
  run: string
  comparison: Comparison
}

const collapsedRows = 8
const maxRows = 200
const verdicts = { bad: 'worse', warn: 'uncertain', good: 'better' }
const probability = (p: number): string => (p < 0.001 ? `p < ${fixed(0.001, 3)}` : `p = ${fixed(p, 3)}`)

/** Compares two runs: metrics, significance, and the cases that were fixed or broken. */
export function ComparisonCard({ id, run, comparison }: ComparisonProps) {
  const { pass_rate: rate, scores, cases, changed } = comparison
  const { text, tone } = headline(comparison)
  const rows = [
    { name: 'Passed', show: percent, ...rate },
    ...Object.entries(scores).map(([scorer, difference]) => ({
      name: scorerLabel(scorer),
      show: scoreText,
      ...difference,
    })),
  ]
  const [isExpanded, setExpanded] = useState(false)
  const shown = changed.slice(0, isExpanded ? maxRows : collapsedRows)
  const unpaired = cases.only_in_run + cases.only_in_baseline
  return (
    <Card title="Comparison" actions={tone && <Badge tone={tone}>{verdicts[tone]}</Badge>}>
      <p>
        <strong>{text}</strong>
        {unpaired > 0 && ` ${count(unpaired)} ${unpaired === 1 ? 'case is' : 'cases are'} in only one run.`}
      </p>
      {shown.length > 0 && (
        <ul className="results">
          {shown.map((each) => (
            <li key={each.case}>
              <ChangedCase id={id} run={run} baseline={comparison.run_id} changed={each} />
            </li>
          ))}
        </ul>
      )}
      {!isExpanded && changed.length > collapsedRows && (
        <div className="row">
          <Button small onClick={() => setExpanded(true)}>
            Show all {count(changed.length)}
          </Button>
        </div>
      )}
      {isExpanded && changed.length > maxRows && (
        <p className="muted small">Showing the first {maxRows}. All results are listed below.</p>
      )}
      {cases.paired > 0 && (
        <Table
          label="Differences"
          rows={rows}
          rowKey={({ name }) => name}
          columns={[
            { title: 'Metric', cell: ({ name }) => name },
            { title: 'Before', numeric: true, minor: true, cell: ({ before, show }) => show(before) },
            { title: 'Now', numeric: true, minor: true, cell: ({ after, show }) => show(after) },
            {
              title: 'Change',
              numeric: true,
              cell: ({ change, show }) => `${change > 0 ? '+' : change < 0 ? '−' : ''}${show(Math.abs(change))}`,
            },
            { title: 'Significance', cell: (row) => <Significance difference={row} /> },
          ]}
        />
      )}
    </Card>
  )
}

const Significance = ({ difference: { significant, change, p_value: p } }: { difference: Difference }) =>
  significant ? (
    <Badge tone={change < 0 ? 'bad' : 'good'}>
      {change < 0 ? 'worse' : 'better'}, {probability(p)}
    </Badge>
  ) : (
    <span className="muted small">not significant, {probability(p)}</span>
  )

interface ChangedCaseProps {
  id: string
  run: string
  baseline: string
  changed: Changed
}

/** A case whose outcome changed. Both answers are loaded when it is expanded. */
function ChangedCase({ id, run, baseline, changed }: ChangedCaseProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="step result" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge tone={changed.change === 'fixed' ? 'good' : 'bad'}>{changed.change}</Badge>
        <span className="muted small">{changed.case + 1}</span>
        <span className="grow clip">{changed.input}</span>
      </summary>
      {isOpen && (
        <div>
          <p className="said">{changed.input}</p>
          <div className="columns">
            <Side id={id} run={baseline} index={changed.baseline_case} title="Before" />
            <Side id={id} run={run} index={changed.case} title="Now" />
          </div>
        </div>
      )}
    </details>
  )
}

function Side({ id, run, index, title }: { id: string; run: string; index: number; title: string }) {
  const result = useCaseResult(id, run, index)
  if (result.error) return <ErrorPanel error={result.error} onRetry={() => void result.refetch()} />
  if (result.data === undefined) return <Loading lines={2} />
  if (result.data === null) return <p className="muted">{title}: no result. The run was stopped before this case.</p>
  return <Answer result={result.data} title={title} />
}
