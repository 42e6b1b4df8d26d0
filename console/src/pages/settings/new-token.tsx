import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { type Role, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { SelectField, TagsField, TextField } from '../../ui/field.tsx'

const roles: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: read configuration and usage' },
  { value: 'user', label: 'User: chat with agents and see own conversations' },
  { value: 'editor', label: 'Editor: build agents, prompts, knowledge and tools' },
  { value: 'admin', label: 'Administrator: also manage models, tokens and webhooks' },
  { value: 'owner', label: 'Owner: full access to all workspaces' },
]

export function NewToken({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const [user, setUser] = useState('')
  const [groups, setGroups] = useState<string[]>([])
  const [expires, setExpires] = useState('')
  const create = useSave({
    invalidates: ['tokens'],
    run: () =>
      parley.tokens.create({
        name,
        role,
        user_id: user || null,
        groups,
        expires_at: expires ? `${expires}T23:59:59Z` : null,
      }),
  })
  // A token cannot have more permissions than the caller.
  const ownRole = roles.findIndex(({ value }) => value === me.data?.role)
  return (
    <FormDialog
      title={create.data ? 'Your new token' : 'New access token'}
      {...(!create.data && { description: 'The token is shown only once.' })}
      save={create}
      action="Create token"
      isComplete={name.trim() !== '' && (role !== 'user' || user.trim() !== '')}
      onClose={onClose}
      instead={create.data && <CreatedToken token={create.data.token} onClose={onClose} />}
    >
      {(errorAt) => (
        <>
          <TextField label="Name" value={name} onChange={setName} placeholder="Ada’s laptop" error={errorAt('name')} />
          <SelectField
            label="Role"
            value={role}
            onChange={(value) => setRole(value as Role)}
            options={roles.slice(0, ownRole + 1)}
          />
          <div className="columns">
            <TextField
              label={role === 'user' ? 'User' : 'User (optional)'}
              value={user}
              onChange={setUser}
              placeholder="ada"
              error={errorAt('user_id')}
            />
            <TextField
              label="Expires"
              hint="Empty: never."
              type="date"
              value={expires}
              onChange={setExpires}
              error={errorAt('expires_at')}
            />
          </div>
          <TagsField
            label="Groups"
            hint="They decide what viewers and users see. Press Enter after each name."
            placeholder="hr"
            value={groups}
            onChange={setGroups}
            error={errorAt('groups')}
          />
        </>
      )}
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
