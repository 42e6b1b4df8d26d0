import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { useMay, useMe } from '../../app/permissions.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { dateTime } from '../../ui/format.ts'
import { useListAddress } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { NewToken } from './new-token.tsx'
import type { SettingsTab } from './settings.tsx'

function Tokens() {
  const may = useMay()
  const me = useMe()
  const { search, change } = useListAddress()
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => parley.tokens.list({ limit: 100 }, { signal }).all(500),
  })
  const remove = useSave({
    touches: ['tokens'],
    run: (id: string) => parley.tokens.delete(id),
    done: 'The token opens nothing any more',
  })
  return (
    <div className="stack">
      <div className="row spread">
        <p className="muted">A token opens this workspace with one role. People and programs each get their own.</p>
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
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: ({ id, name, prefix, user_id: user }) => (
                <>
                  <span className="row">
                    <strong>{name}</strong>
                    {id === me.data?.token.id && <Badge tone="accent">this session</Badge>}
                  </span>
                  <span className="muted small">
                    {prefix && <code>{prefix}…</code>} {user && `for ${user}`}
                  </span>
                </>
              ),
            },
            { title: 'Role', cell: ({ role }) => <Badge>{role}</Badge> },
            {
              title: 'Last used',
              minor: true,
              cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : <span className="muted">never</span>),
            },
            {
              title: 'Expires',
              minor: true,
              cell: ({ expires_at: at }) => (at ? dateTime(at) : <span className="muted">never</span>),
            },
            {
              title: '',
              numeric: true,
              cell: ({ id, name, role }) =>
                may('administer') &&
                (role !== 'owner' || me.data?.role === 'owner') &&
                id !== me.data?.token.id && (
                  <Confirm
                    trigger={<IconButton icon={Trash2} label={`Revoke ${name}`} />}
                    title={`Revoke ${name}?`}
                    text="Whoever uses it is refused from the next request on."
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
