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
    touches: ['agents', 'status'],
    run: () => parley.agents.create({ name, system_prompt: instructions || null }),
    done: ({ name: made }) => `${made} is ready to talk`,
    onDone: ({ id }) => void navigate({ to: `/agents/${id}` }),
  })
  return (
    <FormDialog
      title="New agent"
      description="Everything can be changed later, and every version is kept."
      save={create}
      action="Create agent"
      isComplete={name.trim() !== ''}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            placeholder="Support"
            error={wrong('name')}
            required
          />
          <TextArea
            label="Instructions"
            hint="What the agent is told before every conversation."
            rows={6}
            value={instructions}
            onChange={setInstructions}
            placeholder="You are a friendly support agent. Answer briefly, and say so when you do not know."
            error={wrong('system_prompt')}
          />
        </>
      )}
    </FormDialog>
  )
}
