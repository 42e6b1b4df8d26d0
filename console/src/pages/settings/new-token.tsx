import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { type Role, useMe } from '../../app/permissions.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'

const roles: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: sees the configuration and the figures' },
  { value: 'user', label: 'User: talks to agents, sees own conversations' },
  { value: 'editor', label: 'Editor: builds agents, prompts, knowledge and tools' },
  { value: 'admin', label: 'Administrator: models, tokens and webhooks too' },
  { value: 'owner', label: 'Owner: everything, in every workspace' },
]

export function NewToken({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const [user, setUser] = useState('')
  const [expires, setExpires] = useState('')
  const create = useSave({
    touches: ['tokens'],
    run: () =>
      parley.tokens.create({
        name,
        role,
        user_id: user || null,
        expires_at: expires ? `${expires}T23:59:59Z` : null,
      }),
  })
  // Nobody makes a token that may do more than their own.
  const mine = roles.findIndex(({ value }) => value === me.data?.role)
  return (
    <FormDialog
      title={create.data ? 'Your new token' : 'New access token'}
      {...(!create.data && { description: 'It is shown once, when it is made.' })}
      save={create}
      action="Create token"
      isComplete={name.trim() !== '' && (role !== 'user' || user.trim() !== '')}
      onClose={onClose}
      instead={create.data && <Made token={create.data.token} onClose={onClose} />}
    >
      {(wrong) => (
        <>
          <TextField label="Name" value={name} onChange={setName} placeholder="Ada’s laptop" error={wrong('name')} />
          <SelectField
            label="Role"
            value={role}
            onChange={(value) => setRole(value as Role)}
            options={roles.slice(0, mine + 1)}
          />
          <div className="columns">
            <TextField
              label={role === 'user' ? 'User' : 'User, where it is a person’s'}
              value={user}
              onChange={setUser}
              placeholder="ada"
              error={wrong('user_id')}
            />
            <TextField
              label="Expires"
              hint="Empty for never."
              type="date"
              value={expires}
              onChange={setExpires}
              error={wrong('expires_at')}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}

function Made({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <div className="stack">
      <p className="notice warn">
        <KeyRound aria-hidden size={16} />
        <span>Copy it now. It is not kept anywhere and cannot be shown again.</span>
      </p>
      <CodeBlock label="Token" text={token} />
      <p className="muted small">To sign a person in, send them this link over a safe way:</p>
      <CodeBlock label="Sign-in link" text={`${location.origin}/#token=${token}`} />
      <div className="dialog-foot">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
