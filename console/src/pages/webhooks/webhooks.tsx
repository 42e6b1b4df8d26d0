import { Webhook as WebhookIcon } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../app/permissions.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { State } from './state.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

export default function Webhooks() {
  const may = useMay()
  return (
    <ListPage
      title="Webhooks"
      lead="Tells your own services what happens here, the moment it does."
      resource={['webhooks', 'list']}
      read={({ page, limit }, options) => parley.webhooks.list({ page, limit }, options)}
      create={{ label: 'New webhook', may: 'administer', dialog: (close) => <WebhookDialog onClose={close} /> }}
      empty={{
        icon: WebhookIcon,
        title: 'No webhooks yet',
        text: (
          <>
            <p>
              Give an address of yours and choose what it wants to hear of: a completed conversation, a finished
              evaluation, a budget that was reached. Each event is signed, and sent again until it arrives.
            </p>
            {!may('administer') && <p>An administrator can make one.</p>}
          </>
        ),
      }}
      to={({ id }) => `/webhooks/${id}`}
      columns={[
        {
          title: 'Address',
          cell: ({ url, description }) => (
            <>
              {url}
              {description && <span className="muted two-lines">{description}</span>}
            </>
          ),
        },
        {
          title: 'Events',
          minor: true,
          cell: ({ events }) => (
            <span className="row">
              {events.map((event) => (
                <Badge key={event}>{event === '*' ? 'everything' : event}</Badge>
              ))}
            </span>
          ),
        },
        { title: 'State', cell: (webhook) => <State webhook={webhook} /> },
        { title: 'Created', minor: true, numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
