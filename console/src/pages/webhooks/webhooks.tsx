import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../app/permissions.ts'
import { Button } from '../../ui/button.tsx'
import { Pager, useListAddress } from '../../ui/list.tsx'
import { Badge, PageFrame } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { State } from './state.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

export default function Webhooks() {
  const may = useMay()
  const { search, page, change } = useListAddress()
  const webhooks = useQuery({
    queryKey: ['webhooks', 'list', page],
    queryFn: ({ signal }) => parley.webhooks.list({ page, limit: 25 }, { signal }).page(),
    placeholderData: keepPreviousData,
  })
  const create = may('administer') && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
      New webhook
    </Button>
  )
  return (
    <PageFrame title="Webhooks" lead="Tells your own services what happens here, the moment it does." actions={create}>
      {webhooks.error && <ErrorPanel error={webhooks.error} onRetry={() => void webhooks.refetch()} />}
      {webhooks.isPending && <Loading />}
      {webhooks.data?.data.length === 0 && (
        <Empty icon={WebhookIcon} title="No webhooks yet" action={create}>
          <p>
            Give an address of yours and choose what it wants to hear of: a completed conversation, a finished
            evaluation, a budget that was reached. Each event is signed, and sent again until it arrives.
          </p>
          {!may('administer') && <p>An administrator can make one.</p>}
        </Empty>
      )}
      {webhooks.data && webhooks.data.data.length > 0 && (
        <>
          <Table
            label="Webhooks"
            rows={webhooks.data.data}
            keyOf={({ id }) => id}
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
          <Pager pagination={webhooks.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
      {search.new === 'yes' && <WebhookDialog onClose={() => change({ new: undefined })} />}
    </PageFrame>
  )
}
