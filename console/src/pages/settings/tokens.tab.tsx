import { Plus, Trash2 } from 'lucide-react'
import { useTokens } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { dateTime } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewToken } from './new-token.tsx'
import type { SettingsTab } from './settings.tsx'
import { TokenGroups } from './token-groups.tsx'

function Tokens() {
  const may = useMay()
  const me = useMe()
  const { search, change } = useListParams()
  const tokens = useTokens()
  const personName = usePersonName()
  const remove = useSave({
    invalidates: ['tokens'],
    run: (id: string) => parley.tokens.delete(id),
    toast: 'Token revoked',
  })
  return (
    <div className="stack">
      <div className="row spread">
        <p className="muted">Each token gives access to this workspace with one role. Create one per person or app.</p>
        {may('administer') && (
          <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
            New token
          </Button>
        )}
      </div>
      {tokens.error && <ErrorPanel error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {tokens.isPending && <Loading />}
      {tokens.data && (
        <Table
          label="Access tokens"
          rows={tokens.data}
          rowKey={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: ({ id, name, prefix, user_id: user, client, role, scopes }) => (
                <>
                  <span className="row">
                    <strong>{name}</strong>
                    {id === me.data?.token.id && <Badge tone="accent">this session</Badge>}
                    {client && <Badge tone="accent">connected client</Badge>}
                  </span>
                  <span className="muted small">
                    {client ?? (prefix && <code>{prefix}…</code>)} {user && `for ${personName(user)}`}
                    <span className="narrow-only-inline"> · {scopes[0] ?? role}</span>
                  </span>
                </>
              ),
            },
            { title: 'Role', minor: true, cell: ({ role, scopes }) => <Badge>{scopes[0] ?? role}</Badge> },
            { title: 'Groups', cell: (token) => <TokenGroups token={token} /> },
            {
              title: 'Last used',
              minor: true,
              cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : <span className="muted">never</span>),
            },
            {
              title: 'Expires',
              minor: true,
              cell: ({ expires_at: at, client }) => {
                if (client) return <span className="muted">30 days after its last use</span>
                return at ? dateTime(at) : <span className="muted">never</span>
              },
            },
            {
              title: '',
              numeric: true,
              cell: ({ id, name, role, client }) =>
                may('administer') &&
                (role !== 'owner' || me.data?.role === 'owner') &&
                id !== me.data?.token.id && (
                  <Confirm
                    trigger={<IconButton icon={Trash2} label={`Revoke ${name}`} />}
                    title={`Revoke ${name}?`}
                    text={
                      client
                        ? 'The program is disconnected immediately. The person can connect it again.'
                        : 'Requests with this token are rejected immediately.'
                    }
                    action="Revoke token"
                    onConfirm={() => remove.mutateAsync(id).catch(() => {})}
                  />
                ),
            },
          ]}
        />
      )}
      {search.new === 'yes' && may('administer') && <NewToken onClose={() => change({ new: undefined })} />}
    </div>
  )
}

export const tab: SettingsTab = {
  value: 'tokens',
  label: 'Access tokens',
  order: 10,
  may: 'read-configuration',
  Content: Tokens,
}
