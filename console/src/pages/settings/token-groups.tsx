import type { Schemas } from '@parley/client'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { GroupsField } from '../../parts/person-fields.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Badge } from '../../ui/page.tsx'

type Token = Schemas['Token']

/** The groups of a token, with a button that changes them. */
export function TokenGroups({ token }: { token: Token }) {
  const may = useMay()
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  const mayChange = may('administer') && token.client === null && (token.role !== 'owner' || me.data?.role === 'owner')
  return (
    <span className="row">
      {token.groups.map((group) => (
        <Badge key={group}>{group}</Badge>
      ))}
      {mayChange && <IconButton icon={Pencil} label={`Edit groups of ${token.name}`} onClick={() => setOpen(true)} />}
      {isOpen && <GroupsDialog token={token} onClose={() => setOpen(false)} />}
    </span>
  )
}

function GroupsDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const form = useForm({
    saved: { groups: token.groups },
    invalidates: ['tokens'],
    run: (draft) => parley.tokens.update(token.id, draft),
    toast: 'Groups saved',
    onDone: onClose,
  })
  return (
    <FormDialog
      title={`Groups of ${token.name}`}
      description="They decide what viewers and users see. A change applies to the next request."
      form={form}
      action="Save"
      onClose={onClose}
    >
      <GroupsField label="Groups" {...form.field('groups')} />
    </FormDialog>
  )
}
