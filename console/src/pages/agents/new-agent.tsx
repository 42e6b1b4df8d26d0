import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { TextArea, TextField } from '../../ui/field.tsx'

export function NewAgent({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [instructions, setInstructions] = useState('')
  const create = useSave({
    touches: ['agents', 'status'],
    run: () => parley.agents.create({ name, system_prompt: instructions || null }),
    done: ({ name: made }) => `${made} is ready to talk`,
    onDone: ({ id }) => void navigate({ to: `/agents/${id}` }),
  })
  const wrong = fieldErrors(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(is) => !is && onClose()}
      title="New agent"
      description="Everything can be changed later, and every version is kept."
    >
      <form className="stack" onSubmit={submit}>
        <TextField label="Name" value={name} onChange={setName} placeholder="Support" error={wrong('name')} required />
        <TextArea
          label="Instructions"
          hint="What the agent is told before every conversation."
          rows={6}
          value={instructions}
          onChange={setInstructions}
          placeholder="You are a friendly support agent. Answer briefly, and say so when you do not know."
          error={wrong('system_prompt')}
        />
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={name.trim() === ''}>
            Create agent
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
