import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'

export function NewPrompt({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [template, setTemplate] = useState('')
  const create = useSave({
    touches: ['prompt-templates', 'status'],
    run: () => parley.promptTemplates.create({ name, template }),
    done: ({ name: made }) => `${made} was created`,
    onDone: ({ id }) => void navigate({ to: `/prompts/${id}` }),
  })
  return (
    <FormDialog
      title="New template"
      save={create}
      action="Create template"
      isComplete={name.trim() !== '' && template.trim() !== ''}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <TextField label="Name" value={name} onChange={setName} placeholder="Tutor" error={wrong('name')} required />
          <TextArea
            label="Template"
            hint="Write {{name}} where a value goes."
            mono
            rows={6}
            value={template}
            onChange={setTemplate}
            placeholder="Answer as {{persona}}, in {{language}}."
            error={wrong('template')}
          />
        </>
      )}
    </FormDialog>
  )
}
