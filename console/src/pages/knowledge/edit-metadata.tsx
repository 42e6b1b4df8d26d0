import type { Schemas } from '@parley/client'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import type { Document } from './source-types.ts'

/** A button that opens a dialog to edit the metadata that searches filter by. */
export function EditMetadata({ document }: { document: Document }) {
  const mayWrite = useMay()('write-configuration')
  const [isOpen, setOpen] = useState(false)
  if (!mayWrite) return null
  return (
    <div className="row">
      <Button small icon={Pencil} onClick={() => setOpen(true)}>
        Edit metadata
      </Button>
      {isOpen && <MetadataDialog document={document} onClose={() => setOpen(false)} />}
    </div>
  )
}

function MetadataDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const { id, knowledge_source_id: source, metadata } = document
  const form = useForm({
    saved: { metadata: metadata as NonNullable<Schemas['UpdateDocument']['metadata']> },
    invalidates: ['knowledge-sources'],
    run: (draft) => parley.knowledgeSources.updateDocument(source, id, draft),
    toast: 'Metadata saved',
    onDone: onClose,
  })
  return (
    <FormDialog
      title="Edit metadata"
      description="Searches can filter by it. What was read from the file itself stays."
      form={form}
      action="Save"
      onClose={onClose}
    >
      <JsonField
        label="Metadata"
        hint="A JSON object of strings, numbers, booleans or lists of them."
        rows={8}
        {...form.json('metadata', {})}
      />
    </FormDialog>
  )
}
