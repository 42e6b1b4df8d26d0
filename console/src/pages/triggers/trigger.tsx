import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { KeyRound, Power, PowerOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { nameById, useAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useListParams } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Trigger } from './draft.ts'
import { Runs } from './runs.tsx'
import { TriggerSettings } from './settings.tsx'
import { TriggerStatus } from './status.tsx'
import { TriggerSecret } from './trigger-secret.tsx'
import { TryIt } from './try-it.tsx'

const back = { to: '/triggers', label: 'Triggers' }

export default function TriggerPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const trigger = useQuery({
    queryKey: ['triggers', id],
    queryFn: ({ signal }) => parley.triggers.get(id, { signal }),
  })
  if (trigger.error) return <ErrorPanel error={trigger.error} onRetry={() => void trigger.refetch()} />
  if (!trigger.data)
    return (
      <PageFrame title="Trigger" back={back}>
        <Loading />
      </PageFrame>
    )
  return <TriggerView key={id} trigger={trigger.data} />
}

function TriggerView({ trigger }: { trigger: Trigger }) {
  const mayWrite = useMay()('write-configuration')
  const agents = useAgents().data
  const { search, change } = useListParams()
  return (
    <PageFrame
      title={trigger.name}
      lead={`Webhooks start ${nameById(agents, trigger.agent_id)}`}
      back={back}
      actions={mayWrite && <Actions trigger={trigger} />}
    >
      <div className="row">
        <TriggerStatus trigger={trigger} />
        {!trigger.enabled && <span className="muted small">Webhooks are refused.</span>}
      </div>
      <Tabs
        label="Trigger"
        value={['try', 'settings'].find((each) => each === search.tab) ?? 'runs'}
        onChange={(tab) => change({ tab: tab === 'runs' ? undefined : tab, page: undefined })}
        tabs={[
          { value: 'runs', label: 'Received', content: <Runs id={trigger.id} /> },
          { value: 'try', label: 'Try it', content: <TryIt trigger={trigger} /> },
          {
            value: 'settings',
            label: 'Settings',
            content: <TriggerSettings key={trigger.updated_at} trigger={trigger} />,
          },
        ]}
      />
    </PageFrame>
  )
}

function Actions({ trigger }: { trigger: Trigger }) {
  const { id, name, enabled } = trigger
  const navigate = useNavigate()
  const [secret, setSecret] = useState<string | null>(null)
  const toggle = useSave({
    invalidates: ['triggers'],
    run: () => parley.triggers.update(id, { enabled: !enabled }),
    toast: ({ enabled: is }) => (is ? 'Trigger enabled' : 'Trigger disabled'),
  })
  const rotate = useSave({
    invalidates: ['triggers'],
    run: () => parley.triggers.rotateSecret(id),
    onDone: (answer) => setSecret((answer as { secret: string }).secret),
  })
  const remove = useSave({
    invalidates: ['triggers'],
    run: () => parley.triggers.delete(id),
    toast: `${name} deleted`,
    onDone: () => void navigate({ to: '/triggers', ignoreBlocker: true }),
  })
  return (
    <>
      <Button icon={enabled ? PowerOff : Power} busy={toggle.isPending} onClick={() => toggle.mutate(undefined)}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Confirm
        trigger={<IconButton icon={KeyRound} label="Rotate secret" />}
        title="Rotate the secret?"
        text="Webhooks signed with the old secret are accepted for 24 hours, so that senders can switch."
        action="Rotate secret"
        onConfirm={() => rotate.mutateAsync(undefined).catch(() => {})}
      />
      <Confirm
        trigger={<IconButton icon={Trash2} label="Delete trigger" />}
        title={`Delete ${name}?`}
        text="Webhooks are refused from then on. Conversations stay."
        action="Delete trigger"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
      <Dialog wide open={secret !== null} onOpenChange={(is) => !is && setSecret(null)} title="New signing secret">
        {secret !== null && <TriggerSecret trigger={trigger} secret={secret} onDone={() => setSecret(null)} />}
      </Dialog>
    </>
  )
}
