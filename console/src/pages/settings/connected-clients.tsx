import { useQuery } from '@tanstack/react-query'
import { Unlink } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

/** The programs that the reader has connected to the MCP server. */
export function ConnectedClients() {
  const clients = useQuery({
    queryKey: ['connected-clients'],
    queryFn: ({ signal }) => parley.connectedClients.list({ limit: 100 }, { signal }).all(500),
    refetchOnWindowFocus: true,
  })
  const remove = useSave({
    invalidates: ['connected-clients'],
    run: (id: string) => parley.connectedClients.delete(id),
    toast: 'Program disconnected',
  })
  if (clients.error) return <ErrorPanel error={clients.error} onRetry={() => void clients.refetch()} />
  if (!clients.data?.length) return null
  return (
    <Card title="Programs that act for you">
      <Table
        label="Connected programs"
        rows={clients.data}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Program', cell: ({ name, client }) => [name, client].filter(Boolean).join(', ') },
          { title: 'Connected', minor: true, cell: ({ created_at: at }) => <Ago at={at} /> },
          {
            title: 'Last used',
            cell: ({ last_used_at: used }) =>
              used === null ? <span className="muted">never</span> : <Ago at={used} />,
          },
          {
            title: '',
            numeric: true,
            cell: ({ id, name }) => (
              <Confirm
                trigger={<IconButton icon={Unlink} label={`Disconnect ${name}`} />}
                title={`Disconnect ${name}?`}
                text="It cannot use your agents any more, until you connect it again."
                action="Disconnect"
                onConfirm={() => remove.mutateAsync(id).catch(() => {})}
              />
            ),
          },
        ]}
      />
    </Card>
  )
}
