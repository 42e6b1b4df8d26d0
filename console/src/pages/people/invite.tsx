import { parley } from '../../api/parley.ts'
import type { Role } from '../../api/permissions.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { GroupsField } from '../../parts/person-fields.tsx'
import { useOfferedRoles } from '../../parts/roles.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { dateTime } from '../../ui/format.ts'

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
  const created = form.save.data
  return (
    <FormDialog
      title={created ? 'The invitation is ready' : 'Invite a person'}
      description={created ? undefined : 'You get a link that works once. Nothing is sent: pass it on yourself.'}
      form={form}
      action="Create link"
      onClose={onClose}
      instead={
        created && (
          <ShownOnce
            label="Invitation link"
            warning={`Copy the link now. It cannot be shown again, works once, and ends ${dateTime(created.expires_at)}.`}
            text={created.link}
            onDone={onClose}
          />
        )
      }
    >
      <SelectField label="Role" {...form.field('role')} options={roles} />
      <GroupsField label="Groups" hint="They decide what viewers and users see." {...form.field('groups')} />
      <div className="columns">
        <TextField
          label="E-mail (optional)"
          hint="Becomes the user ID."
          type="email"
          placeholder="ada@example.com"
          {...form.field('email', null)}
        />
        <SelectField label="The link works for" {...form.field('days')} options={lifetimes} />
      </div>
    </FormDialog>
  )
}
