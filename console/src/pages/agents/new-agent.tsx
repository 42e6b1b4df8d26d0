import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'

export function NewAgent({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [instructions, setInstructions] = useState('')
  const create = useSave({
    invalidates: ['agents', 'status'],
    run: () => parley.agents.create({ name, system_prompt: instructions || null }),
    toast: ({ name: made }) => `${made} created`,
    onDone: ({ id }) => void navigate({ to: `/agents/${id}` }),
  })
  return (
    <FormDialog
      title="New agent"
      description="You can change everything later. Every version is kept."
      save={create}
      action="Create agent"
      isComplete={name.trim() !== ''}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            placeholder="Support"
            error={errorAt('name')}
            required
          />
          <TextArea
            label="Instructions"
            hint="Sent to the model at the start of every conversation."
            rows={6}
            value={instructions}
            onChange={setInstructions}
            placeholder="You are a friendly support agent. Answer briefly, and say so when you do not know."
            error={errorAt('system_prompt')}
          />
        </>
      )}
    </FormDialog>
  )
}
