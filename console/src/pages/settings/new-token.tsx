import { KeyRound } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { type Role, useMe } from '../../api/permissions.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { TagsField } from '../../ui/tags-field.tsx'

const roles: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: read configuration and usage' },
  { value: 'user', label: 'User: chat with agents and see own conversations' },
  { value: 'editor', label: 'Editor: build agents, prompts, knowledge and tools' },
  { value: 'admin', label: 'Administrator: also manage models, tokens and webhooks' },
  { value: 'owner', label: 'Owner: full access to all workspaces' },
]

export function NewToken({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const form = useForm({
    saved: {
      name: '',
      role: 'editor' as Role,
      user_id: null as string | null,
      groups: [] as string[],
      expires_at: null as string | null,
    },
    invalidates: ['tokens'],
    run: ({ expires_at: day, ...draft }) => parley.tokens.create({ ...draft, expires_at: day && `${day}T23:59:59Z` }),
  })
  const { name, role, user_id: user } = form.draft
  const created = form.save.data
  // A token cannot have more permissions than the caller.
  const ownRole = roles.findIndex(({ value }) => value === me.data?.role)
  return (
    <FormDialog
      title={created ? 'Your new token' : 'New access token'}
      description={created ? undefined : 'The token is shown only once.'}
      form={form}
      action="Create token"
      isComplete={name.trim() !== '' && (role !== 'user' || (user ?? '').trim() !== '')}
      onClose={onClose}
      instead={created && <CreatedToken token={created.token} onClose={onClose} />}
    >
      <TextField label="Name" placeholder="Ada’s laptop" {...form.field('name')} />
      <SelectField label="Role" {...form.field('role')} options={roles.slice(0, ownRole + 1)} />
      <div className="columns">
        <TextField
          label={role === 'user' ? 'User' : 'User (optional)'}
          placeholder="ada"
          {...form.field('user_id', null)}
        />
        <TextField label="Expires" hint="Empty: never." type="date" {...form.field('expires_at', null)} />
      </div>
      <TagsField
        label="Groups"
        hint="They decide what viewers and users see. Press Enter after each name."
        placeholder="hr"
        {...form.field('groups')}
      />
    </FormDialog>
  )
}

function CreatedToken({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <div className="stack">
      <p className="notice warn">
        <KeyRound aria-hidden size={16} />
        <span>Copy the token now. It cannot be shown again.</span>
      </p>
      <CodeBlock label="Token" text={token} />
      <p className="muted small">To sign someone in, send them this link securely:</p>
      <CodeBlock label="Sign-in link" text={`${location.origin}/#token=${token}`} />
      <div className="dialog-foot">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
