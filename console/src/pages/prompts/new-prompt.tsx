import { useNavigate } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'

export function NewPrompt({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    saved: { name: '', template: '' },
    invalidates: ['prompt-templates', 'status'],
    run: (draft) => parley.promptTemplates.create(draft),
    toast: ({ name }) => `${name} created`,
    onDone: ({ id }) => void navigate({ to: `/prompts/${id}` }),
  })
  return (
    <FormDialog
      title="New template"
      form={form}
      action="Create template"
      isComplete={form.draft.name.trim() !== '' && form.draft.template.trim() !== ''}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Tutor" required {...form.field('name')} />
      <TextArea
        label="Template"
        hint="Use {{name}} for variables."
        mono
        rows={6}
        placeholder="Answer as {{persona}}, in {{language}}."
        {...form.field('template')}
      />
    </FormDialog>
  )
}
