import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Link2, Pencil, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { type Role, useMe } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { GroupsField } from '../../parts/person-fields.tsx'
import { useOfferedRoles } from '../../parts/roles.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { Groups } from './groups.tsx'
import { LinkDialog } from './link-dialog.tsx'

type User = Schemas['User']
type Token = Schemas['Token']

const invalidates = ['tokens', 'users', 'invitations']

/** By what a person is signed in, and with which rights: to change, to take away, and to give anew. */
export function Access({ user }: { user: User }) {
  const me = useMe().data
  const roles = useOfferedRoles()
  const [open, setOpen] = useState<'rights' | 'link' | null>(null)
  const tokens = useQuery({
    queryKey: ['tokens', 'of', user.user_id],
    queryFn: ({ signal }) => parley.tokens.list({ user_id: user.user_id, limit: 100 }, { signal }).all(500),
  })
  const own = (tokens.data ?? []).filter(
    ({ id, role, scopes, client }) =>
      scopes.length === 0 && client === null && id !== me?.token.id && roles.some(({ value }) => value === role),
  )
  const remove = useSave({
    invalidates,
    run: async () => {
      for (const { id } of own) await parley.tokens.delete(id)
    },
    toast: 'Access removed',
  })
  const close = () => setOpen(null)
  const name = user.name ?? user.user_id
  return (
    <Card
      title="Access"
      actions={
        <>
          {own.length > 0 && (
            <>
              <Button small icon={Pencil} onClick={() => setOpen('rights')}>
                Role and groups
              </Button>
              <Confirm
                trigger={
                  <Button small icon={UserMinus}>
                    Remove access
                  </Button>
                }
                title={`Remove the access of ${name}?`}
                text="All their tokens and sessions end at once. Their conversations stay, and a new sign-in link lets them back in."
                action="Remove access"
                onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
              />
            </>
          )}
          <Button small icon={Link2} onClick={() => setOpen('link')}>
            New sign-in link
          </Button>
        </>
      }
    >
      {tokens.isPending && <Loading lines={2} />}
      {tokens.data?.length === 0 && (
        <p className="muted row nowrap">
          <KeyRound aria-hidden size={18} />
          <span>
            No token of this workspace. People who sign in at an identity provider get their role and groups from there.
          </span>
        </p>
      )}
      {tokens.data && tokens.data.length > 0 && <Tokens tokens={tokens.data} />}
      {open === 'rights' && <RightsDialog user={user} tokens={own} onClose={close} />}
      {open === 'link' && <SignInLinkDialog user={user} first={own[0]} onClose={close} />}
    </Card>
  )
}

const Tokens = ({ tokens }: { tokens: Token[] }) => (
  <Table
    label="Tokens"
    rows={tokens}
    rowKey={({ id }) => id}
    columns={[
      { title: 'Token', cell: ({ name, client }) => (client ? `${name} (connected client)` : name) },
      { title: 'Role', cell: ({ role, scopes }) => <Badge>{scopes[0] ?? role}</Badge> },
      { title: 'Groups', minor: true, cell: ({ groups }) => <Groups groups={groups} /> },
      {
        title: 'Last used',
        numeric: true,
        cell: ({ last_used_at: at }) => (at === null ? 'never' : <Ago at={at} />),
      },
    ]}
  />
)

interface DialogProps {
  user: User
  onClose: () => void
}

/** All tokens of the person get the same role and groups. */
function RightsDialog({ user, tokens, onClose }: DialogProps & { tokens: Token[] }) {
  const form = useForm({
    saved: { role: (tokens[0]?.role ?? 'user') as Role, groups: tokens[0]?.groups ?? [] },
    invalidates,
    run: async (draft) => {
      for (const { id } of tokens) await parley.tokens.update(id, draft)
    },
    toast: 'Role and groups saved',
    onDone: onClose,
  })
  return (
    <FormDialog
      title={`Role and groups of ${user.name ?? user.user_id}`}
      description="A change applies to their next request."
      form={form}
      action="Save"
      onClose={onClose}
    >
      <SelectField label="Role" {...form.field('role')} options={useOfferedRoles()} />
      <GroupsField label="Groups" hint="They decide what viewers and users see." {...form.field('groups')} />
    </FormDialog>
  )
}

/** A link for somebody who has lost their session or has another device. */
function SignInLinkDialog({ user, first, onClose }: DialogProps & { first: Token | undefined }) {
  const form = useForm({
    saved: { role: (first?.role ?? user.role ?? 'user') as Role, groups: first?.groups ?? user.groups },
    invalidates,
    run: (draft) => parley.invitations.create({ ...draft, user_id: user.user_id }),
  })
  const name = user.name ?? user.user_id
  return (
    <LinkDialog
      title={`A sign-in link for ${name}`}
      description="It works once, for seven days. They stay the same person, with their conversations."
      form={form}
      readyTitle="The sign-in link is ready"
      label="Sign-in link"
      warning={(ends) =>
        `Copy the link now and pass it to ${name} alone: whoever opens it is signed in as them. It works once, and ends ${ends}.`
      }
      onClose={onClose}
    >
      <SelectField label="Role" {...form.field('role')} options={useOfferedRoles()} />
      <GroupsField label="Groups" {...form.field('groups')} />
    </LinkDialog>
  )
}
