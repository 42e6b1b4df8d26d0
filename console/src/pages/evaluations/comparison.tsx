import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import type { Comparison } from './draft.ts'
import { Answer } from './result-row.tsx'
import { useResultOf } from './runs.ts'
import { labelOf } from './scorer-label.ts'
import { percent, scoreText, Verdict } from './summary.tsx'

type Difference = Comparison['pass_rate']
type Changed = Comparison['changed'][number]

interface ComparedProps {
  id: string
  run: string
  comparison: Comparison
}

const firstShown = 8
const mostShown = 200
const probability = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`)

/** Two runs side by side: the figures, whether the difference means something, and the cases that turned. */
export function Compared({ id, run, comparison }: ComparedProps) {
  const { pass_rate: rate, scores, fixed, broken, cases, changed } = comparison
  const rows = [
    { name: 'Passed', show: percent, ...rate },
    ...Object.entries(scores).map(([scorer, difference]) => ({
      name: labelOf(scorer),
      show: scoreText,
      ...difference,
    })),
  ]
  const [isWhole, setWhole] = useState(false)
  const shown = changed.slice(0, isWhole ? mostShown : firstShown)
  const alone = cases.only_in_run + cases.only_in_baseline
  return (
    <Card title="Compared with the other run" actions={<Verdict verdict={comparison.verdict} />}>
      <p>
        <strong>{comparison.regression ? 'Something became worse.' : 'Nothing became significantly worse.'}</strong>{' '}
        {count(fixed)} {fixed === 1 ? 'case' : 'cases'} fixed, {count(broken)} broken, of {count(cases.paired)} that
        both runs have.
        {alone > 0 && ` ${count(alone)} stand in one run only and are left out.`}
      </p>
      {shown.length > 0 && (
        <ul className="results">
          {shown.map((each) => (
            <li key={each.case}>
              <Turned id={id} run={run} baseline={comparison.run_id} changed={each} />
            </li>
          ))}
        </ul>
      )}
      {!isWhole && changed.length > firstShown && (
        <div className="row">
          <Button small onClick={() => setWhole(true)}>
            Show all {count(changed.length)}
          </Button>
        </div>
      )}
      {isWhole && changed.length > mostShown && (
        <p className="muted small">The first {mostShown} are shown; the results below have them all.</p>
      )}
      <Table
        label="Differences"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Figure', cell: ({ name }) => name },
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
    </Card>
  )
}

const Significance = ({ difference: { significant, change, p_value: p } }: { difference: Difference }) =>
  significant ? (
    <Badge tone={change < 0 ? 'bad' : 'good'}>
      {change < 0 ? 'worse' : 'better'}, {probability(p)}
    </Badge>
  ) : (
    <span className="muted small">may be chance, {probability(p)}</span>
  )

interface TurnedProps {
  id: string
  run: string
  baseline: string
  changed: Changed
}

/** A case that passes now and did not before, or the reverse. Both answers are read when it is unfolded. */
function Turned({ id, run, baseline, changed }: TurnedProps) {
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
            <Side id={id} run={baseline} place={changed.baseline_case} title="Before" />
            <Side id={id} run={run} place={changed.case} title="Now" />
          </div>
        </div>
      )}
    </details>
  )
}

function Side({ id, run, place, title }: { id: string; run: string; place: number; title: string }) {
  const result = useResultOf(id, run, place)
  if (result.error) return <ErrorPanel error={result.error} onRetry={() => void result.refetch()} />
  if (result.data === undefined) return <Loading lines={2} />
  if (result.data === null) return <p className="muted">{title}: this run was stopped before, so look at its page.</p>
  return <Answer result={result.data} title={title} />
}
