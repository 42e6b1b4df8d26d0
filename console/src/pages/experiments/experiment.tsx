import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Play, Square, Trash2 } from 'lucide-react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { type Experiment, metricLabels } from './metrics.ts'
import { Results } from './results.tsx'
import { ExperimentStatus } from './status.tsx'

const back = { to: '/experiments', label: 'Experiments' }

export default function ExperimentPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const mayWrite = useMay()('write-configuration')
  const agents = useAgents()
  const experiment = useQuery({
    queryKey: ['experiments', id],
    queryFn: ({ signal }) => parley.experiments.get(id, { signal }),
  })
  if (experiment.error) return <ErrorPanel error={experiment.error} onRetry={() => void experiment.refetch()} />
  const { data } = experiment
  if (!data)
    return (
      <PageFrame title="Experiment" back={back}>
        <Loading />
      </PageFrame>
    )
  return (
    <PageFrame
      title={data.name}
      lead={
        <>
          {data.description ?? metricLabels[data.metric] ?? data.metric}, with{' '}
          <Link to={`/agents/${data.agent_id}`}>{nameById(agents.data, data.agent_id)}</Link>
        </>
      }
      back={back}
      actions={mayWrite && <Actions experiment={data} />}
    >
      <div className="row">
        <ExperimentStatus status={data.status} />
        {data.started_at && (
          <span className="muted small">
            Started <Ago at={data.started_at} />
          </span>
        )}
      </div>
      <Results experiment={data} mayWrite={mayWrite} />
    </PageFrame>
  )
}

function Actions({ experiment: { id, name, status } }: { experiment: Experiment }) {
  const navigate = useNavigate()
  const start = useSave({
    invalidates: ['experiments'],
    run: () => parley.experiments.start(id),
    toast: 'New conversations take part',
  })
  const stop = useSave({ invalidates: ['experiments'], run: () => parley.experiments.stop(id), toast: 'Stopped' })
  const remove = useSave({
    invalidates: ['experiments'],
    run: () => parley.experiments.delete(id),
    toast: `${name} deleted`,
    onDone: () => void navigate({ to: '/experiments', ignoreBlocker: true }),
  })
  return (
    <>
      {status === 'running' ? (
        <Button icon={Square} busy={stop.isPending} onClick={() => stop.mutate(undefined)}>
          Stop
        </Button>
      ) : (
        <Button variant="primary" icon={Play} busy={start.isPending} onClick={() => start.mutate(undefined)}>
          {status === 'draft' ? 'Start' : 'Start again'}
        </Button>
      )}
      <Confirm
        trigger={<IconButton icon={Trash2} label="Delete experiment" />}
        title={`Delete ${name}?`}
        text="Its results are deleted, too. Conversations keep the versions that they have."
        action="Delete experiment"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
    </>
  )
}
