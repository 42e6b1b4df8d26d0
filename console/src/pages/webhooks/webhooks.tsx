import { Webhook as WebhookIcon } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Badge } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { WebhookStatus } from './status.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

export default function Webhooks() {
  const may = useMay()
  return (
    <ListPage
      title="Webhooks"
      lead="Notify your own services when something happens in Parley."
      resource={['webhooks', 'list']}
      read={({ page, limit }, options) => parley.webhooks.list({ page, limit }, options)}
      create={{ label: 'New webhook', may: 'administer', dialog: (close) => <WebhookDialog onClose={close} /> }}
      empty={{
        icon: WebhookIcon,
        title: 'No webhooks yet',
        text: (
          <>
            <p>
              Send completed conversations, finished evaluations and reached budgets to a URL of yours. Events are
              signed and retried until delivered.
            </p>
            {!may('administer') && <p>Ask an administrator to create one.</p>}
          </>
        ),
      }}
      to={({ id }) => `/webhooks/${id}`}
      columns={[
        {
          title: 'URL',
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
                <Badge key={event}>{event === '*' ? 'all events' : event}</Badge>
              ))}
            </span>
          ),
        },
        { title: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
        { title: 'Created', minor: true, numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
