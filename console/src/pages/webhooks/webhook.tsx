import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { KeyRound, Pencil, Power, PowerOff, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { useMay } from '../../app/permissions.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { dateTime } from '../../ui/format.ts'
import { Badge, Card, PageFrame } from '../../ui/page.tsx'
import { ErrorPanel, Loading } from '../../ui/states.tsx'
import { tell, tellError } from '../../ui/toasts.tsx'
import { Deliveries } from './deliveries.tsx'
import type { Webhook } from './events.ts'
import { Secret } from './secret.tsx'
import { State } from './state.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

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
      {reason && <p className="notice bad">It was switched off: {reason}</p>}
      <Card title="Webhook" actions={<State webhook={webhook.data} />}>
        <dl className="facts">
          <dt>Address</dt>
          <dd>
            <code>{url}</code>
          </dd>
          <dt>Events</dt>
          <dd className="row">
            {events.map((event) => (
              <Badge key={event}>{event === '*' ? 'everything' : event}</Badge>
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
  const turn = useSave({
    touches: ['webhooks'],
    run: () => parley.webhooks.update(id, { enabled: !enabled }),
    done: ({ enabled: is }) => (is ? 'Events are sent again' : 'Nothing is sent any more'),
  })
  const test = useSave({
    touches: ['webhooks'],
    run: () => parley.webhooks.test(id),
    onDone: ({ status, response_status: answered, error, latency_ms: took }) => {
      if (status === 'delivered') tell('The test arrived', `It answered ${answered} in ${took} ms.`)
      else tellError(new Error(error ?? `It answered ${answered}.`), 'The test did not arrive')
    },
  })
  const rotate = useSave({
    touches: ['webhooks'],
    run: () => parley.webhooks.rotateSecret(id),
    onDone: (answer) => setSecret((answer as { secret: string }).secret),
  })
  const remove = useSave({
    touches: ['webhooks'],
    run: () => parley.webhooks.delete(id),
    done: 'The webhook was deleted',
    onDone: () => void navigate({ to: '/webhooks' }),
  })
  return (
    <>
      <Button icon={Send} busy={test.isPending} onClick={() => test.mutate(undefined)}>
        Send a test
      </Button>
      <Button icon={enabled ? PowerOff : Power} busy={turn.isPending} onClick={() => turn.mutate(undefined)}>
        {enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <IconButton icon={Pencil} label="Change webhook" onClick={() => setEditing(true)} />
      <Confirm
        trigger={<IconButton icon={KeyRound} label="New secret" />}
        title="Make a new secret?"
        text="For 24 hours events are signed with the old one too, so that your service can change over."
        action="Make a new secret"
        onConfirm={() => rotate.mutateAsync(undefined).catch(() => {})}
      />
      <Confirm
        trigger={<IconButton icon={Trash2} label="Delete webhook" />}
        title="Delete this webhook?"
        text="What was not delivered yet is not sent any more."
        action="Delete webhook"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
      {isEditing && <WebhookDialog webhook={webhook} onClose={() => setEditing(false)} />}
      <Dialog open={secret !== null} onOpenChange={(is) => !is && setSecret(null)} title="Its new signing secret">
        {secret !== null && <Secret secret={secret} onDone={() => setSecret(null)} />}
      </Dialog>
    </>
  )
}
