import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Play, Trash2 } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { SaveBar } from '../../parts/editor.tsx'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { useListParams } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Cases } from './cases.tsx'
import { type Evaluation, useEvaluationForm } from './draft.ts'
import { Results } from './results.tsx'
import { isActive, useRuns } from './runs.ts'
import { Setup } from './setup.tsx'

const back = { to: '/evaluations', label: 'Evaluations' }

export default function EvaluationPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const evaluation = useQuery({
    queryKey: ['evaluations', id],
    queryFn: ({ signal }) => parley.evaluations.get(id, { signal }),
  })
  if (evaluation.error) return <ErrorPanel error={evaluation.error} onRetry={() => void evaluation.refetch()} />
  if (!evaluation.data)
    return (
      <PageFrame title="Evaluation" back={back}>
        <Loading />
      </PageFrame>
    )
  return <EvaluationView key={id} evaluation={evaluation.data} />
}

function EvaluationView({ evaluation }: { evaluation: Evaluation }) {
  const mayWrite = useMay()('write-configuration')
  const { search, change } = useListParams()
  const form = useEvaluationForm(evaluation)
  const isChanged = Object.keys(form.changes).length > 0
  const tab = ['results', 'cases', 'setup'].find((each) => each === search.tab) ?? 'results'
  return (
    <PageFrame
      title={evaluation.name}
      lead={evaluation.description}
      back={back}
      actions={mayWrite && <Actions evaluation={evaluation} isChanged={isChanged} />}
    >
      <Tabs
        label="Evaluation"
        value={tab}
        onChange={(next) => change({ tab: next, page: undefined, q: undefined })}
        tabs={[
          { value: 'results', label: 'Results', content: <Results evaluation={evaluation} /> },
          {
            value: 'cases',
            label: `Cases (${form.draft.test_cases.length})`,
            content: <Cases id={evaluation.id} form={form} disabled={!mayWrite} />,
          },
          { value: 'setup', label: 'Setup', content: <Setup form={form} disabled={!mayWrite} /> },
        ]}
      />
      {mayWrite && (isChanged || !form.isValid) && <SaveBar form={form} />}
    </PageFrame>
  )
}

function Actions({ evaluation, isChanged }: { evaluation: Evaluation; isChanged: boolean }) {
  const { id, name } = evaluation
  const navigate = useNavigate()
  const { change } = useListParams()
  const runs = useRuns(id)
  const start = useSave({
    invalidates: ['runs'],
    run: () => parley.evaluations.run(id),
    toast: 'Run started',
    onDone: () => change({ tab: undefined, run: undefined, page: undefined, outcome: undefined }),
  })
  const remove = useSave({
    invalidates: ['evaluations', 'runs'],
    run: () => parley.evaluations.delete(id),
    toast: `${name} deleted`,
    onDone: () => void navigate({ to: '/evaluations', ignoreBlocker: true }),
  })
  const isRunning = isActive(runs.data?.[0])
  return (
    <>
      <Button
        variant="primary"
        icon={Play}
        busy={start.isPending || isRunning}
        disabled={isChanged}
        title={isChanged ? 'Save or discard your changes first' : undefined}
        onClick={() => start.mutate(undefined)}
      >
        {isRunning ? 'Running' : 'Run'}
      </Button>
      <Confirm
        trigger={<IconButton icon={Trash2} label="Delete evaluation" />}
        title={`Delete ${name}?`}
        text="Its cases, runs and results are deleted permanently."
        action="Delete evaluation"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
    </>
  )
}
