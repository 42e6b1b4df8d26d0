import { Ban, FlaskConical } from 'lucide-react'
import { useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { withoutIds } from '../../ui/errors.ts'
import { ago, count, percent } from '../../ui/format.ts'
import { Pager, useListParams, useRedirectToLastPage } from '../../ui/list.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { ComparisonCard } from './comparison.tsx'
import type { Evaluation, Run } from './draft.ts'
import { Export } from './export.tsx'
import { ResultRow } from './result-row.tsx'
import { isActive, type ResultQuery, useResults, useRuns } from './runs.ts'
import { Summary } from './summary.tsx'

const outcomes = [
  { value: '', label: 'All cases' },
  { value: 'passed', label: 'Passed' },
  { value: 'failed', label: 'Failed' },
  { value: 'error', label: 'Errors' },
]

/** Names runs by the version of their target and its model: `Support v3, GPT-4o · 2 h ago · 80% passed`. */
function useRunLabel(): (run: Run) => string {
  const models = useModels().data ?? []
  return ({ type, target_name: name, target_version: version, model_id, created_at: at, status, summary }) => {
    const model = type !== 'model' && models.find(({ id }) => id === model_id)?.name
    const target = `${name ?? 'Run'}${version === null ? '' : ` v${version}`}${model ? `, ${model}` : ''}`
    return `${target} · ${ago(at)} · ${summary?.pass_rate != null ? `${percent(summary.pass_rate)} passed` : status}`
  }
}

/** The results of a run, live while it runs, and compared with another run if one is selected. */
export function Results({ evaluation: { id, test_case_count: cases } }: { evaluation: Evaluation }) {
  const mayWrite = useMay()('write-configuration')
  const { search, page, change } = useListParams()
  const runs = useRuns(id)
  const runLabel = useRunLabel()
  const chosen = search.run ?? runs.data?.[0]?.id
  const query: ResultQuery = {
    run: chosen,
    compareTo: search.compare === chosen ? undefined : search.compare,
    outcome: outcomes.find(({ value }) => value && value === search.outcome)?.value as ResultQuery['outcome'],
    page,
  }
  const results = useResults(id, query)
  const isRedirecting = useRedirectToLastPage(results.data?.pagination)
  if (runs.error) return <ErrorPanel error={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <Loading />
  if (runs.data.length === 0)
    return (
      <Empty icon={FlaskConical} title="No runs yet">
        {mayWrite
          ? `Run it to ask and score ${count(cases)} ${cases === 1 ? 'case' : 'cases'}. You can leave this page while it runs.`
          : 'Results appear here once an editor runs it.'}
      </Empty>
    )
  if (results.error) return <ErrorPanel error={results.error} onRetry={() => void results.refetch()} />
  if (!results.data || isRedirecting) return <Loading />

  const { run, summary, results: rows, comparison } = results.data.data
  const changes = new Map(comparison?.changed.map((each) => [each.case, each.change]))
  return (
    <div className="stack">
      <div className="toolbar compared-runs">
        <Select
          aria-label="Run"
          value={run.id}
          onChange={(next) => change({ run: next, page: undefined })}
          options={runs.data.map((each) => ({ value: each.id, label: runLabel(each) }))}
        />
        {runs.data.length > 1 && (
          <Select
            aria-label="Compare with"
            value={query.compareTo ?? ''}
            onChange={(next) => change({ compare: next || undefined })}
            options={[
              { value: '', label: 'Compare with…' },
              ...runs.data
                .filter((each) => each.id !== run.id && !isActive(each))
                .map((each) => ({ value: each.id, label: `Compared with ${runLabel(each)}` })),
            ]}
          />
        )}
        <span className="grow" />
        <Export id={id} run={run.id} outcome={query.outcome} />
      </div>
      {isActive(run) && <RunProgress id={id} run={run} mayCancel={mayWrite} />}
      {run.error && <p className="notice bad">{withoutIds(run.error)}</p>}
      <Summary run={run} summary={summary} />
      {comparison && <ComparisonCard id={id} run={run.id} comparison={comparison} />}
      <div className="toolbar">
        <h2 className="grow">Cases</h2>
        <select
          aria-label="Outcome"
          value={query.outcome ?? ''}
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
        <p className="muted">{isActive(run) ? 'Waiting for the first results…' : 'No matching results.'}</p>
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

function RunProgress({ id, run, mayCancel }: { id: string; run: Run; mayCancel: boolean }) {
  const cancel = useSave({
    invalidates: ['runs'],
    run: () => parley.evaluations.cancelRun(id, run.id),
    toast: 'Run cancelled. Finished cases are kept.',
  })
  const { done, total } = run.progress
  return (
    <div className="notice run-progress" role="status">
      <span className="grow">
        {run.status === 'queued' ? 'Queued' : `${count(done)} of ${count(total)} cases done`}
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
