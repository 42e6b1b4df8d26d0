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
    invalidates: ['prompt-templates', 'status'],
    run: () => parley.promptTemplates.create({ name, template }),
    toast: ({ name: made }) => `${made} created`,
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
      {(errorAt) => (
        <>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            placeholder="Tutor"
            error={errorAt('name')}
            required
          />
          <TextArea
            label="Template"
            hint="Use {{name}} for variables."
            mono
            rows={6}
            value={template}
            onChange={setTemplate}
            placeholder="Answer as {{persona}}, in {{language}}."
            error={errorAt('template')}
          />
        </>
      )}
    </FormDialog>
  )
}
