import type { Schemas } from '@parley/client'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
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
  const [metadata, setMetadata] = useState(document.metadata)
  const [isValid, setValid] = useState(true)
  const save = useSave({
    invalidates: ['knowledge-sources'],
    run: () =>
      parley.knowledgeSources.updateDocument(document.knowledge_source_id, document.id, {
        metadata: metadata as NonNullable<Schemas['UpdateDocument']['metadata']>,
      }),
    toast: 'Metadata saved',
    onDone: onClose,
  })
  return (
    <FormDialog
      title="Edit metadata"
      description="Searches can filter by it. What was read from the file itself stays."
      save={save}
      action="Save"
      isComplete={isValid}
      onClose={onClose}
    >
      {(errorAt) => (
        <JsonField
          label="Metadata"
          hint="A JSON object of strings, numbers, booleans or lists of them."
          rows={8}
          value={metadata}
          empty={{}}
          error={errorAt('metadata')}
          onChange={(value) => setMetadata(value as Document['metadata'])}
          onValid={setValid}
        />
      )}
    </FormDialog>
  )
}
