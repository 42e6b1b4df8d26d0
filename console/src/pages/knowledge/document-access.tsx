import type { Person, Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX, Pencil } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay, useMayPreview } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { type Access, AccessFields } from '../../parts/access-fields.tsx'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { PersonFields } from '../../parts/person-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import type { Document } from './source-types.ts'

/** Explanations are read as the caller: for the person of a preview, a hidden document does not exist. */
const explain = (source: string, document: string, person: Person) =>
  parley.as(null).knowledgeSources.documentAccess(source, document, person)

/** Shows and edits the access to a document, and explains where it comes from. */
export function DocumentAccess({ document }: { document: Document }) {
  const { id, knowledge_source_id: source, updated_at } = document
  const mayPreview = useMayPreview()
  const mayWrite = useMay()('write-configuration')
  const { seenAs } = useSession()
  const [open, setOpen] = useState<'edit' | 'why' | null>(null)
  const reason = useExplanation(source, id, seenAs ?? {}, [updated_at, document.access])
  if (!mayPreview) return null
  const close = () => setOpen(null)
  return (
    <Card title="Access">
      {document.access && <Names {...document.access} />}
      <p className="small">{reason ? reason.because : '…'}</p>
      <div className="row">
        {mayWrite && !document.parent_id && (
          <Button small icon={Pencil} onClick={() => setOpen('edit')}>
            Edit access
          </Button>
        )}
        <Button small icon={CircleHelp} onClick={() => setOpen('why')}>
          Why?
        </Button>
      </div>
      {open === 'edit' && <EditAccess document={document} onClose={close} />}
      {open === 'why' && <WhyDialog document={document} person={seenAs ?? {}} onClose={close} />}
    </Card>
  )
}

const Names = ({ groups = [], users = [] }: Access) => (
  <dl className="facts">
    <dt>Groups</dt>
    <dd>{groups.join(', ') || '–'}</dd>
    <dt>Users</dt>
    <dd>{users.join(', ') || '–'}</dd>
  </dl>
)

function useExplanation(source: string, document: string, person: Person, basis: unknown[] = []) {
  const mayPreview = useMayPreview()
  return useQuery({
    queryKey: ['knowledge-sources', source, 'documents', document, 'access', person, basis],
    queryFn: () => explain(source, document, person),
    enabled: mayPreview,
  }).data
}

/** In a preview, why the person does not see a document. */
export function WhyHidden({ source, document }: { source: string; document: string }) {
  const { seenAs } = useSession()
  const reason = useExplanation(source, document, seenAs ?? {})
  return seenAs && reason ? <Reason {...reason} /> : null
}

const Reason = ({ allowed, because }: Schemas['AccessExplanation']) => (
  <p className={`notice${allowed ? '' : ' warn'}`} role="status">
    {allowed ? <CircleCheck aria-hidden size={16} /> : <CircleX aria-hidden size={16} />}
    <span>
      <strong>{allowed ? 'May see it.' : 'May not see it.'}</strong> {because}
    </span>
  </p>
)

interface DialogProps {
  document: Document
  onClose: () => void
}

function WhyDialog({ document, person, onClose }: DialogProps & { person: Person }) {
  const form = useForm({
    saved: person,
    invalidates: [],
    run: (draft) => explain(document.knowledge_source_id, document.id, draft),
  })
  return (
    <FormDialog
      title="Who sees this document?"
      description="For a person of role user or viewer. Editors and higher roles see every document."
      form={form}
      action="Check"
      onClose={onClose}
    >
      <PersonFields form={form} />
      {form.save.data && <Reason {...form.save.data} />}
    </FormDialog>
  )
}

function EditAccess({ document, onClose }: DialogProps) {
  const form = useForm({
    saved: { access: document.access ?? null },
    invalidates: ['knowledge-sources'],
    run: (draft) => parley.knowledgeSources.updateDocument(document.knowledge_source_id, document.id, draft),
    toast: 'Access saved',
    onDone: onClose,
  })
  return (
    <FormDialog title="Edit access" form={form} action="Save" onClose={onClose}>
      <AccessFields
        form={form}
        everyone="As the source says"
        everyoneHint="The rules of the source decide. Without a rule that matches, everyone who sees the source sees it."
      />
    </FormDialog>
  )
}
