import type { Schemas } from '@parley/client'
import { Inbox } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { useList } from '../../parts/list-page.tsx'
import { isActive, RunDuration, RunResult, RunStatus } from '../../parts/run-status.tsx'
import { CodeBlock, prettyJson } from '../../ui/code.tsx'
import { costOfCalls } from '../../ui/format.ts'
import { Pager, useListParams, useRedirectToLastPage } from '../../ui/list.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'

type Run = Schemas['TriggerRun']

/** The webhooks that came in, and the runs they started. */
export function Runs({ id }: { id: string }) {
  const { change } = useListParams()
  const { data, error, refetch, isPending } = useList({
    resource: ['triggers', id, 'runs'],
    read: ({ page, limit }, options) => parley.triggers.runs(id, { page, limit }, options),
    shouldPoll: () => true, // webhooks come in at any time
  })
  const isRedirecting = useRedirectToLastPage(data?.pagination)
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (isPending || isRedirecting || !data) return <Loading />
  if (data.data.length === 0)
    return (
      <Empty icon={Inbox} title="Nothing has come in yet">
        Send a webhook to see what comes in and what the agent does with it.
      </Empty>
    )
  return (
    <>
      <ul className="results" aria-label="Runs">
        {data.data.map((run) => (
          <li key={run.id}>
            <RunRow run={run} />
          </li>
        ))}
      </ul>
      <Pager pagination={data.pagination} onPage={(next) => change({ page: String(next) })} />
    </>
  )
}

const RunRow = ({ run }: { run: Run }) => (
  <details className="step result">
    <summary>
      <RunStatus run={run} />
      <span className="grow clip mono small">{run.body}</span>
      <span className="muted small">
        <Ago at={run.due_at} />
      </span>
    </summary>
    <div>
      {run.error && <p className="notice bad">{run.error}</p>}
      <dl className="facts small">
        <dt>Result</dt>
        <dd>
          <RunResult run={run} />
        </dd>
        <dt>Cost</dt>
        <dd>{costOfCalls(run)}</dd>
        <dt>Duration</dt>
        <dd>{isActive(run) ? 'not ended' : <RunDuration run={run} />}</dd>
      </dl>
      {run.body !== null && (
        <>
          <h3>Received</h3>
          <CodeBlock label="Received body" text={prettyJson(run.body)} />
        </>
      )}
    </div>
  </details>
)
