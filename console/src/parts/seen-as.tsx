import type { Person } from '@parley/client'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { usePersonName } from '../api/people.ts'
import { useMayPreview } from '../api/permissions.ts'
import { queries } from '../api/queries.ts'
import { seeAs, useSession } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { useForm } from './form.ts'
import { FormDialog } from './form-dialog.tsx'
import { PersonFields, personText } from './person-fields.tsx'

/** Starts or ends a preview. All queries but the one for the caller are read again. */
function preview(person: Person | null): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
  seeAs(person)
}

/** A button that shows the workspace as another person would see it. */
export function SeenAsButton() {
  const mayPreview = useMayPreview()
  const { seenAs } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!mayPreview || seenAs) return null
  return (
    <>
      <Button icon={Eye} onClick={() => setOpen(true)}>
        Seen as…
      </Button>
      {isOpen && <SeenAsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function SeenAsDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<Person, void>({
    saved: {},
    invalidates: [],
    run: async ({ user_id, groups = [] }) => {
      onClose()
      preview({ user_id: user_id?.trim() || null, groups })
    },
  })
  return (
    <FormDialog
      title="See as someone else"
      description="Shows agents, sources, documents and searches as a person of role user or viewer sees them. Nothing can be changed meanwhile."
      form={form}
      action="Preview"
      onClose={onClose}
    >
      <PersonFields form={form} />
    </FormDialog>
  )
}

/** Shows the person of the preview on every page. */
export function SeenAsBanner() {
  const { seenAs } = useSession()
  const personName = usePersonName()
  if (!seenAs) return null
  return (
    <div className="seen-as" role="status">
      <Eye aria-hidden size={16} />
      <span className="grow">
        Seen as <strong>{personText(seenAs, personName)}</strong>
        <span className="muted small"> Read only</span>
      </span>
      <Button small onClick={() => preview(null)}>
        Stop
      </Button>
    </div>
  )
}
