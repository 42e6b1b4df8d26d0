import { useQuery } from '@tanstack/react-query'
import { Link2, Unlink } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { ConnectedClients } from './connected-clients.tsx'
import type { SettingsTab } from './settings.tsx'

const tones = { connected: 'good', expired: 'warn', revoked: 'bad' } as const

/** The accounts of the reader; for admins those of everybody. */
function Connections() {
  const may = useMay()
  const isAdmin = may('administer')
  const me = useMe().data
  const connections = useQuery({
    queryKey: ['connections', isAdmin],
    queryFn: ({ signal }) =>
      parley.connections.list({ limit: 100, ...(isAdmin && { all: true }) }, { signal }).all(500),
    refetchOnWindowFocus: true,
  })
  const tools = useQuery({
    queryKey: ['connections', 'tools'],
    queryFn: ({ signal }) => parley.connections.tools({ signal }),
    refetchOnWindowFocus: true,
  })
  const remove = useSave({
    invalidates: ['connections'],
    run: (id: string) => parley.connections.delete(id),
    toast: 'Account disconnected',
  })
  const connect = useSave({
    invalidates: ['connections'],
    run: async (tool: string) => {
      const { authorize_url: url } = await parley.connections.connect({ tool_id: tool })
      window.location.assign(url)
    },
  })
  const unconnected = (tools.data ?? []).filter(({ connected }) => !connected)
  return (
    <div className="stack">
      <p className="muted">
        Tools act with these accounts for the person they belong to. Tokens are stored encrypted and never shown.
      </p>
      {connections.error && <ErrorPanel error={connections.error} onRetry={() => void connections.refetch()} />}
      {connections.isPending && <Loading />}
      {connections.data?.length === 0 && <p>No account is connected. An agent that needs one asks in the chat.</p>}
      {connections.data && connections.data.length > 0 && (
        <Table
          label="Connected accounts"
          rows={connections.data}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Tool', cell: ({ tool_name: name }) => name },
            { title: 'Person', cell: ({ user_id: user }) => user ?? <span className="muted">the workspace</span> },
            { title: 'Provider', minor: true, cell: ({ issuer }) => new URL(issuer).host },
            { title: 'Scopes', minor: true, cell: ({ scopes }) => scopes.join(', ') },
            { title: 'Status', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
            {
              title: 'Last used',
              minor: true,
              cell: ({ last_used_at: used }) =>
                used === null ? <span className="muted">never</span> : <Ago at={used} />,
            },
            {
              title: '',
              numeric: true,
              cell: ({ id, tool_id: tool, tool_name: name, status, user_id: user }) => (
                <>
                  {status !== 'connected' && (user === null || user === me?.user_id) && (
                    <IconButton icon={Link2} label={`Connect ${name} again`} onClick={() => connect.mutate(tool)} />
                  )}
                  <Confirm
                    trigger={<IconButton icon={Unlink} label={`Disconnect ${name}`} />}
                    title="Disconnect the account?"
                    text="Its tokens are deleted, and revoked at the provider where it can. The next call asks to connect again."
                    action="Disconnect"
                    onConfirm={() => remove.mutateAsync(id).catch(() => {})}
                  />
                </>
              ),
            },
          ]}
        />
      )}
      {unconnected.length > 0 && (
        <Card title="Connect an account">
          <div className="row wrap">
            {unconnected.map(({ tool_id: id, tool_name: name }) => (
              <Button key={id} icon={Link2} onClick={() => connect.mutate(id)}>
                Connect {name}
              </Button>
            ))}
          </div>
        </Card>
      )}
      <ConnectedClients />
    </div>
  )
}

export const tab: SettingsTab = {
  value: 'connections',
  label: 'Connected accounts',
  order: 90,
  may: 'converse',
  Content: Connections,
}
