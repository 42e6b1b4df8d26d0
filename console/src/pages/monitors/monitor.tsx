import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { Editor } from '../../parts/editor.tsx'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { useForm } from '../../parts/form.ts'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useListParams } from '../../ui/list.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Scorers } from '../evaluations/scorers.tsx'
import { type Monitor, toDraft } from './draft.ts'
import { AlertFields, SampleFields } from './fields.tsx'
import { Scores } from './scores.tsx'
import { Summary } from './summary.tsx'

const back = { to: '/monitors', label: 'Monitors' }
const pollInterval = 10_000
const tabs = ['summary', 'scores', 'settings'] as const

export default function MonitorPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const monitor = useQuery({
    queryKey: ['monitors', id],
    queryFn: ({ signal }) => parley.monitors.get(id, { signal }),
    staleTime: 0,
    refetchInterval: pollInterval, // replies are scored by themselves
  })
  if (monitor.error) return <ErrorPanel error={monitor.error} onRetry={() => void monitor.refetch()} />
  if (!monitor.data)
    return (
      <PageFrame title="Monitor" back={back}>
        <Loading />
      </PageFrame>
    )
  return <MonitorView key={id} monitor={monitor.data} />
}

function MonitorView({ monitor }: { monitor: Monitor }) {
  const mayWrite = useMay()('write-configuration')
  const { search, change } = useListParams()
  const agent = useAgents().data?.find(({ id }) => id === monitor.agent_id)?.name
  return (
    <PageFrame
      title={monitor.name}
      lead={agent && `Replies of ${agent}`}
      back={back}
      actions={mayWrite && <Remove monitor={monitor} />}
    >
      <Tabs
        label="Monitor"
        value={tabs.find((tab) => tab === search.tab) ?? 'summary'}
        onChange={(tab) => change({ tab: tab === 'summary' ? undefined : tab, page: undefined })}
        tabs={[
          { value: 'summary', label: 'Summary', content: <Summary monitor={monitor} /> },
          { value: 'scores', label: 'Scores', content: <Scores monitor={monitor} /> },
          {
            value: 'settings',
            label: 'Settings',
            content: <Settings key={monitor.updated_at} monitor={monitor} />,
          },
        ]}
      />
    </PageFrame>
  )
}

function Settings({ monitor }: { monitor: Monitor }) {
  const mayWrite = useMay()('write-configuration')
  const agents = useAgents().data ?? []
  const form = useForm({
    saved: toDraft(monitor),
    invalidates: ['monitors'],
    run: (_, changes) => parley.monitors.update(monitor.id, changes, onlyIfUnchanged(monitor)),
    toast: ({ name }) => `${name} saved`,
  })
  return (
    <Editor form={form} mayWrite={mayWrite}>
      <Card title="Details">
        <TextField label="Name" {...form.field('name')} />
        <SelectField label="Agent" {...form.field('agent_id')} options={toOptions(agents)} />
        <SampleFields form={form} />
      </Card>
      <Scorers isLive form={form.part('scorers')} target="agent" disabled={!mayWrite} />
      <Card title="Alert">
        <AlertFields form={form} />
      </Card>
    </Editor>
  )
}

function Remove({ monitor: { id, name } }: { monitor: Monitor }) {
  const navigate = useNavigate()
  const remove = useSave({
    invalidates: ['monitors'],
    run: () => parley.monitors.delete(id),
    toast: `${name} deleted`,
    onDone: () => void navigate({ to: '/monitors', ignoreBlocker: true }),
  })
  return (
    <Confirm
      trigger={<IconButton icon={Trash2} label="Delete monitor" />}
      title={`Delete ${name}?`}
      text="Its summary and the list of its scores are deleted, too. Reviews stay."
      action="Delete monitor"
      onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
    />
  )
}
