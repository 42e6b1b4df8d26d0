import type { Schemas } from '@parley/client'
import { parley } from '../../api/parley.ts'
import { type Role, useMe } from '../../api/permissions.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { GroupsField, PersonField } from '../../parts/person-fields.tsx'
import { useOfferedRoles } from '../../parts/roles.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'

type Use = Role | 'metrics'

const metrics = { value: 'metrics' as Use, label: 'Metrics: for Prometheus, nothing but /metrics' }

export function NewToken({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const form = useForm({
    saved: {
      name: '',
      role: 'editor' as Use,
      user_id: null as string | null,
      groups: [] as string[],
      expires_at: null as string | null,
    },
    invalidates: ['tokens'],
    run: ({ expires_at: day, role, ...draft }) =>
      parley.tokens.create({
        ...draft,
        ...(role === 'metrics' ? { scopes: ['metrics'] } : { role }),
        expires_at: day && `${day}T23:59:59Z`,
      }),
  })
  const { name, role, user_id: user } = form.draft
  const created = form.save.data
  const roles = useOfferedRoles()
  // Metrics are about all workspaces.
  const offered = me.data?.role === 'owner' ? [...roles, metrics] : roles
  return (
    <FormDialog
      title={created ? 'Your new token' : 'New access token'}
      description={created ? undefined : 'The token is shown only once.'}
      form={form}
      action="Create token"
      isComplete={name.trim() !== '' && (role !== 'user' || (user ?? '').trim() !== '')}
      onClose={onClose}
      instead={created && <CreatedToken created={created} onClose={onClose} />}
    >
      <TextField label="Name" placeholder="Ada’s laptop" {...form.field('name')} />
      <SelectField label="Role" {...form.field('role')} options={offered} />
      <div className="columns">
        <PersonField label={role === 'user' ? 'User' : 'User (optional)'} {...form.field('user_id', null)} />
        <TextField label="Expires" hint="Empty: never." type="date" {...form.field('expires_at', null)} />
      </div>
      <GroupsField label="Groups" hint="They decide what viewers and users see." {...form.field('groups')} />
    </FormDialog>
  )
}

interface CreatedTokenProps {
  created: Schemas['CreatedToken']
  onClose: () => void
}

const CreatedToken = ({ created: { token, scopes }, onClose }: CreatedTokenProps) => (
  <ShownOnce label="Token" warning="Copy the token now. It cannot be shown again." text={token} onDone={onClose}>
    {scopes.length === 0 && (
      <>
        <p className="muted small">To sign someone in, send them this link securely:</p>
        <CodeBlock label="Sign-in link" text={`${location.origin}/#token=${token}`} />
      </>
    )}
  </ShownOnce>
)
