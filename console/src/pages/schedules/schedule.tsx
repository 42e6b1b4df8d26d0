import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Play, Power, PowerOff, Trash2, TriangleAlert } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { useListParams } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { zonedTime } from '../../ui/time-text.ts'
import type { Schedule } from './draft.ts'
import { actionLabels } from './labels.ts'
import { Runs } from './runs.tsx'
import { ScheduleSettings } from './settings.tsx'
import { ScheduleStatus } from './status.tsx'

const pollInterval = 5000
const back = { to: '/schedules', label: 'Schedules' }

export default function SchedulePage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const schedule = useQuery({
    queryKey: ['schedules', id],
    queryFn: ({ signal }) => parley.schedules.get(id, { signal }),
    staleTime: 0,
    refetchInterval: pollInterval, // runs start and end by themselves
  })
  if (schedule.error) return <ErrorPanel error={schedule.error} onRetry={() => void schedule.refetch()} />
  if (!schedule.data)
    return (
      <PageFrame title="Schedule" back={back}>
        <Loading />
      </PageFrame>
    )
  return <ScheduleView key={id} schedule={schedule.data} />
}

function ScheduleView({ schedule }: { schedule: Schedule }) {
  const mayWrite = useMay()('write-configuration')
  const { search, change } = useListParams()
  return (
    <PageFrame
      title={schedule.name}
      lead={actionLabels[schedule.action.type]}
      back={back}
      actions={mayWrite && <Actions schedule={schedule} />}
    >
      <State schedule={schedule} />
      <Tabs
        label="Schedule"
        value={search.tab === 'settings' ? 'settings' : 'runs'}
        onChange={(tab) => change({ tab: tab === 'settings' ? tab : undefined, page: undefined })}
        tabs={[
          { value: 'runs', label: 'Runs', content: <Runs schedule={schedule} /> },
          {
            value: 'settings',
            label: 'Settings',
            content: <ScheduleSettings key={schedule.updated_at} schedule={schedule} />,
          },
        ]}
      />
    </PageFrame>
  )
}

function State({ schedule }: { schedule: Schedule }) {
  const { next_run_at: next, timezone, disabled_reason: reason } = schedule
  return (
    <div className="stack">
      {reason && (
        <p className="notice bad">
          <TriangleAlert aria-hidden size={16} />
          <span>Paused: {reason} Enable the schedule to go on.</span>
        </p>
      )}
      <div className="row">
        <ScheduleStatus schedule={schedule} />
        <span className="muted small">
          {next ? (
            <>
              Next run <time dateTime={next}>{zonedTime(next, timezone)}</time>
            </>
          ) : (
            'No next run'
          )}
        </span>
      </div>
    </div>
  )
}

function Actions({ schedule: { id, name, enabled } }: { schedule: Schedule }) {
  const navigate = useNavigate()
  const run = useSave({
    invalidates: ['schedules'],
    run: () => parley.schedules.run(id),
    toast: ({ status, error }) => (status === 'skipped' ? `Skipped: ${error}` : 'Run started'),
  })
  const toggle = useSave({
    invalidates: ['schedules'],
    run: () => parley.schedules.update(id, { enabled: !enabled }),
    toast: ({ enabled: is }) => (is ? 'Schedule enabled' : 'Schedule disabled'),
  })
  const remove = useSave({
    invalidates: ['schedules'],
    run: () => parley.schedules.delete(id),
    toast: `${name} deleted`,
    onDone: () => void navigate({ to: '/schedules', ignoreBlocker: true }),
  })
  return (
    <>
      <Button
        variant="primary"
        icon={Play}
        busy={run.isPending}
        disabled={!enabled}
        title={enabled ? undefined : 'Enable the schedule to run it'}
        onClick={() => run.mutate(undefined)}
      >
        Run now
      </Button>
      <Button icon={enabled ? PowerOff : Power} busy={toggle.isPending} onClick={() => toggle.mutate(undefined)}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Confirm
        trigger={<IconButton icon={Trash2} label="Delete schedule" />}
        title={`Delete ${name}?`}
        text="The list of its runs is deleted, too. Their conversations stay."
        action="Delete schedule"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
    </>
  )
}
