import type { ResponseData } from '@parley/client'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { PersonField } from '../../parts/person-fields.tsx'
import { TextArea } from '../../ui/field.tsx'

interface MemoryDialogProps {
  /** Left out for a new one. */
  memory?: ResponseData<'/memories/{id}', 'get'>
  /** Whether it can be about another person. */
  isForOthers: boolean
  onClose: () => void
}

export function MemoryDialog({ memory, isForOthers, onClose }: MemoryDialogProps) {
  const form = useForm({
    saved: { content: memory?.content ?? '', user_id: memory?.user_id ?? null },
    invalidates: ['memories'],
    run: ({ content, user_id }) =>
      memory
        ? parley.memories.update(memory.id, { content })
        : parley.memories.create({ content, ...(isForOthers && { user_id }) }),
    toast: 'Memory saved',
    onDone: onClose,
  })
  return (
    <FormDialog
      title={memory ? 'Edit memory' : 'New memory'}
      description="An edited memory stays when the conversation it comes from is deleted."
      form={form}
      action="Save"
      isComplete={form.draft.content.trim() !== ''}
      onClose={onClose}
    >
      <TextArea label="Memory" rows={3} {...form.field('content')} />
      {!memory && isForOthers && <PersonField label="Person" {...form.field('user_id', null)} />}
    </FormDialog>
  )
}
