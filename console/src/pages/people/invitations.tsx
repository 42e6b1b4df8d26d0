import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { usePersonName } from '../../api/people.ts'
import { useSave } from '../../api/save.ts'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { dateTime } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Delivery, whilePending } from './delivery.tsx'
import { Groups } from './groups.tsx'

/** The invitations that nobody has accepted yet. */
export function Invitations() {
  const personName = usePersonName()
  const invitations = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => parley.invitations.list({ limit: 100 }, { signal }).all(500),
    refetchInterval: ({ state }) => whilePending(state.data ?? []),
  })
  const remove = useSave({
    invalidates: ['invitations'],
    run: (id: string) => parley.invitations.delete(id),
    toast: 'Invitation withdrawn',
  })
  const open = (invitations.data ?? []).filter(({ accepted_at: accepted }) => accepted === null)
  if (open.length === 0) return null
  return (
    <Card title="Open invitations">
      <Table
        label="Open invitations"
        rows={open}
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'For',
            cell: ({ user_id: user, ...invitation }) => (
              <>
                {user ? personName(user) : (invitation.email ?? <span className="muted">whoever has the link</span>)}
                <span className="two-lines">
                  <Delivery {...invitation} />
                </span>
              </>
            ),
          },
          { title: 'Role', minor: true, cell: ({ role }) => <Badge>{role}</Badge> },
          { title: 'Groups', minor: true, cell: ({ groups }) => <Groups groups={groups} /> },
          {
            title: 'Ends',
            cell: ({ expires_at: end }) =>
              Date.parse(end) > Date.now() ? dateTime(end) : <Badge tone="warn">expired</Badge>,
          },
          {
            title: '',
            numeric: true,
            cell: ({ id, email }) => (
              <Confirm
                trigger={<IconButton icon={Trash2} label={`Withdraw the invitation for ${email ?? 'a person'}`} />}
                title="Withdraw the invitation?"
                text="Its link stops working."
                action="Withdraw"
                onConfirm={() => remove.mutateAsync(id).catch(() => {})}
              />
            ),
          },
        ]}
      />
    </Card>
  )
}
