import { useQuery } from '@tanstack/react-query'
import { parley } from '../../api/parley.ts'
import type { Role } from '../../api/permissions.ts'
import { useForm } from '../../parts/form.ts'
import { GroupsField } from '../../parts/person-fields.tsx'
import { useOfferedRoles } from '../../parts/roles.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Delivery, whilePending } from './delivery.tsx'
import { LinkDialog } from './link-dialog.tsx'

const lifetimes = [
  { value: '1', label: 'One day' },
  { value: '7', label: 'Seven days' },
  { value: '30', label: '30 days' },
]
const dayMs = 24 * 60 * 60 * 1000

export function Invite({ onClose }: { onClose: () => void }) {
  const roles = useOfferedRoles()
  const form = useForm({
    saved: { role: 'user' as Role, groups: [] as string[], email: null as string | null, days: '7' },
    invalidates: ['invitations'],
    run: ({ days, ...draft }) =>
      parley.invitations.create({ ...draft, expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
  })
  const settings = useQuery({
    queryKey: ['auth', 'settings'],
    queryFn: ({ signal }) => parley.auth.settings({ signal }),
  })
  const sends = (settings.data?.mail ?? null) !== null
  const created = form.save.data
  const current = useQuery({
    queryKey: ['invitations', created?.id],
    queryFn: ({ signal }) => parley.invitations.get(created?.id ?? '', { signal }),
    enabled: created !== undefined && created.email_status !== null,
    refetchInterval: ({ state }) => whilePending(state.data ? [state.data] : []),
  })
  return (
    <LinkDialog
      title="Invite a person"
      description={
        sends
          ? 'You get a link that works once. It is also sent to the e-mail address, if you enter one.'
          : 'You get a link that works once. Nothing is sent: pass it on yourself.'
      }
      form={form}
      readyTitle="The invitation is ready"
      label="Invitation link"
      warning={(ends) => `Copy the link now. It cannot be shown again, works once, and ends ${ends}.`}
      status={
        created && (
          <p role="status">
            <Delivery {...(current.data ?? created)} />
          </p>
        )
      }
      onClose={onClose}
    >
      <SelectField label="Role" {...form.field('role')} options={roles} />
      <GroupsField label="Groups" hint="They decide what viewers and users see." {...form.field('groups')} />
      <div className="columns">
        <TextField
          label="E-mail (optional)"
          hint={sends ? 'Gets the link, and becomes the user ID.' : 'Becomes the user ID.'}
          type="email"
          placeholder="ada@example.com"
          {...form.field('email', null)}
        />
        <SelectField label="The link works for" {...form.field('days')} options={lifetimes} />
      </div>
    </LinkDialog>
  )
}
