import { Ban, FlaskConical } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { useMay } from '../../app/permissions.ts'
import { Button } from '../../ui/button.tsx'
import { ago, count } from '../../ui/format.ts'
import { Pager, useLastPage, useListAddress } from '../../ui/list.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Compared } from './comparison.tsx'
import type { Evaluation, Run } from './draft.ts'
import { Export } from './export.tsx'
import { ResultRow } from './result-row.tsx'
import { type Asked, isGoing, useResults, useRuns } from './runs.ts'
import { percent, Summary } from './summary.tsx'

const outcomes = [
  { value: '', label: 'Every case' },
  { value: 'passed', label: 'Passed' },
  { value: 'failed', label: 'Failed' },
  { value: 'error', label: 'Errors' },
]

const nameOf = ({ created_at: at, status, summary }: Run): string =>
  `${ago(at)} · ${summary?.pass_rate != null ? `${percent(summary.pass_rate)} passed` : status}`

/** What a run brought, live while it goes on, and beside another run where one is chosen. */
export function Results({ evaluation: { id, test_case_count: cases } }: { evaluation: Evaluation }) {
  const may = useMay()('write-configuration')
  const { search, page, change } = useListAddress()
  const runs = useRuns(id)
  const chosen = search.run ?? runs.data?.[0]?.id
  const asked: Asked = {
    run: chosen,
    compareTo: search.compare === chosen ? undefined : search.compare,
    outcome: outcomes.find(({ value }) => value && value === search.outcome)?.value as Asked['outcome'],
    page,
  }
  const results = useResults(id, asked)
  const isTurning = useLastPage(results.data?.pagination)
  if (runs.error) return <ErrorPanel error={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <Loading />
  if (runs.data.length === 0)
    return (
      <Empty icon={FlaskConical} title="Not run yet">
        {may
          ? `Press Run, and every one of the ${count(cases)} ${cases === 1 ? 'case' : 'cases'} is asked and scored. You can watch, or leave: it goes on by itself.`
          : 'An editor can run it. What comes of it appears here.'}
      </Empty>
    )
  if (results.error) return <ErrorPanel error={results.error} onRetry={() => void results.refetch()} />
  if (!results.data || isTurning) return <Loading />

  const { run, summary, results: rows, comparison } = results.data.data
  const changes = new Map(comparison?.changed.map((each) => [each.case, each.change]))
  return (
    <div className="stack">
      <div className="toolbar">
        <select
          aria-label="Run"
          value={run.id}
          onChange={(event) => change({ run: event.target.value, page: undefined })}
        >
          {runs.data.map((each) => (
            <option key={each.id} value={each.id}>
              Run {nameOf(each)}
            </option>
          ))}
        </select>
        {runs.data.length > 1 && (
          <select
            aria-label="Compare with"
            value={asked.compareTo ?? ''}
            onChange={(event) => change({ compare: event.target.value || undefined })}
          >
            <option value="">Compare with…</option>
            {runs.data
              .filter((each) => each.id !== run.id && !isGoing(each))
              .map((each) => (
                <option key={each.id} value={each.id}>
                  Compared with {nameOf(each)}
                </option>
              ))}
          </select>
        )}
        <span className="grow" />
        <Export id={id} run={run.id} outcome={asked.outcome} />
      </div>
      {isGoing(run) && <Going id={id} run={run} mayCancel={may} />}
      {run.error && <p className="notice bad">{run.error}</p>}
      <Summary run={run} summary={summary} />
      {comparison && <Compared id={id} run={run.id} comparison={comparison} />}
      <div className="toolbar">
        <h2 className="grow">Cases</h2>
        <select
          aria-label="Outcome"
          value={asked.outcome ?? ''}
          onChange={(event) => change({ outcome: event.target.value || undefined, page: undefined })}
        >
          {outcomes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {rows.length === 0 ? (
        <p className="muted">{isGoing(run) ? 'The first results come in a moment.' : 'No case ended like this.'}</p>
      ) : (
        <ul className="results">
          {rows.map((result) => (
            <li key={`${run.id} ${result.case}`}>
              <ResultRow result={result} change={changes.get(result.case)} />
            </li>
          ))}
        </ul>
      )}
      <Pager pagination={results.data.pagination} onPage={(next) => change({ page: String(next) })} />
    </div>
  )
}

function Going({ id, run, mayCancel }: { id: string; run: Run; mayCancel: boolean }) {
  const cancel = useSave({
    touches: ['runs'],
    run: () => parley.evaluations.cancelRun(id, run.id),
    done: 'The run was stopped; what is done stays',
  })
  const { done, total } = run.progress
  return (
    <div className="notice going" role="status">
      <span className="grow">
        {run.status === 'queued' ? 'Waiting for its turn' : `${count(done)} of ${count(total)} cases are done`}
        <progress className="share" aria-label="Progress" max={Math.max(1, total)} value={done} />
      </span>
      {mayCancel && (
        <Button small icon={Ban} busy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
          Cancel
        </Button>
      )}
    </div>
  )
}
