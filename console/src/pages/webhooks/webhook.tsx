import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { KeyRound, Pencil, Power, PowerOff, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { dateTime } from '../../ui/format.ts'
import { Badge, Card, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { Deliveries } from './deliveries.tsx'
import type { Webhook } from './events.ts'
import { WebhookStatus } from './status.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

const back = { to: '/webhooks', label: 'Webhooks' }

export default function WebhookPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const may = useMay()
  const webhook = useQuery({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => parley.webhooks.get(id, { signal }),
  })
  if (webhook.error) return <ErrorPanel error={webhook.error} onRetry={() => void webhook.refetch()} />
  if (!webhook.data)
    return (
      <PageFrame title="Webhook" back={back}>
        <Loading />
      </PageFrame>
    )
  const { url, description, events, disabled_reason: reason, failing_since: failing } = webhook.data
  return (
    <PageFrame
      title={description || new URL(url).host}
      back={back}
      actions={may('administer') && <Actions webhook={webhook.data} />}
    >
      {reason && <p className="notice bad">Disabled: {reason}</p>}
      <Card title="Webhook" actions={<WebhookStatus webhook={webhook.data} />}>
        <dl className="facts">
          <dt>URL</dt>
          <dd>
            <code>{url}</code>
          </dd>
          <dt>Events</dt>
          <dd className="row">
            {events.map((event) => (
              <Badge key={event}>{event === '*' ? 'all events' : event}</Badge>
            ))}
          </dd>
          {failing && (
            <>
              <dt>Failing since</dt>
              <dd>{dateTime(failing)}</dd>
            </>
          )}
        </dl>
      </Card>
      <Deliveries id={webhook.data.id} mayRedeliver={may('administer')} />
    </PageFrame>
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { id, enabled } = webhook
  const navigate = useNavigate()
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const toggle = useSave({
    invalidates: ['webhooks'],
    run: () => parley.webhooks.update(id, { enabled: !enabled }),
    toast: ({ enabled: is }) => (is ? 'Webhook enabled' : 'Webhook disabled'),
  })
  const test = useSave({
    invalidates: ['webhooks'],
    run: () => parley.webhooks.test(id),
    onDone: ({ status, response_status: responded, error, latency_ms: took }) => {
      if (status === 'delivered') showToast('Test delivered', `Responded with ${responded} in ${took} ms.`)
      else showError(new Error(error ?? `Responded with ${responded}.`), 'Test failed')
    },
  })
  const rotate = useSave({
    invalidates: ['webhooks'],
    run: () => parley.webhooks.rotateSecret(id),
    onDone: (answer) => setSecret((answer as { secret: string }).secret),
  })
  const remove = useSave({
    invalidates: ['webhooks'],
    run: () => parley.webhooks.delete(id),
    toast: 'Webhook deleted',
    onDone: () => void navigate({ to: '/webhooks' }),
  })
  return (
    <>
      <Button icon={Send} busy={test.isPending} onClick={() => test.mutate(undefined)}>
        Send test event
      </Button>
      <Button icon={enabled ? PowerOff : Power} busy={toggle.isPending} onClick={() => toggle.mutate(undefined)}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <IconButton icon={Pencil} label="Edit webhook" onClick={() => setEditing(true)} />
      <Confirm
        trigger={<IconButton icon={KeyRound} label="Rotate secret" />}
        title="Rotate the signing secret?"
        text="Events are signed with both secrets for 24 hours, so you can switch over."
        action="Rotate secret"
        onConfirm={() => rotate.mutateAsync(undefined).catch(() => {})}
      />
      <Confirm
        trigger={<IconButton icon={Trash2} label="Delete webhook" />}
        title="Delete this webhook?"
        text="Pending deliveries are cancelled."
        action="Delete webhook"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
      {isEditing && <WebhookDialog webhook={webhook} onClose={() => setEditing(false)} />}
      <Dialog open={secret !== null} onOpenChange={(is) => !is && setSecret(null)} title="New signing secret">
        {secret !== null && <WebhookSecret secret={secret} onDone={() => setSecret(null)} />}
      </Dialog>
    </>
  )
}
