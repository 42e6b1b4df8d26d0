import { useNavigate } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'

export function NewAgent({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    saved: { name: '', system_prompt: null as string | null },
    invalidates: ['agents', 'status'],
    run: (draft) => parley.agents.create(draft),
    toast: ({ name }) => `${name} created`,
    onDone: ({ id }) => void navigate({ to: `/agents/${id}` }),
  })
  return (
    <FormDialog
      title="New agent"
      description="You can change everything later. Every version is kept."
      form={form}
      action="Create agent"
      isComplete={form.draft.name.trim() !== ''}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Support" required {...form.field('name')} />
      <TextArea
        label="Instructions"
        hint="Sent to the model at the start of every conversation."
        rows={6}
        placeholder="You are a friendly support agent. Answer briefly, and say so when you do not know."
        {...form.field('system_prompt', null)}
      />
    </FormDialog>
  )
}
