import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useActiveAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { type Trigger, toDraft } from './draft.ts'
import { AgentField, MessageFields } from './fields.tsx'
import { TriggerSecret } from './trigger-secret.tsx'

export function NewTrigger({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [created, setCreated] = useState<(Trigger & { secret: string }) | null>(null)
  const [agent] = useActiveAgents().data ?? []
  const form = useForm({
    saved: toDraft({ name: '', agent_id: agent?.id ?? '', template: '', conversation_key: null }),
    invalidates: ['triggers'],
    run: async (draft) => setCreated(await parley.triggers.create(draft)),
  })
  const { name, agent_id: chosen, template } = form.draft
  const close = () => {
    onClose()
    if (created) void navigate({ to: `/triggers/${created.id}` })
  }
  return (
    <FormDialog
      wide
      title={created ? 'Signing secret' : 'New trigger'}
      form={form}
      action="Create trigger"
      isComplete={name.trim() !== '' && chosen !== '' && template.trim() !== ''}
      onClose={close}
      instead={created && <TriggerSecret trigger={created} secret={created.secret} onDone={close} />}
    >
      <TextField label="Name" placeholder="New tickets" {...form.field('name')} />
      <AgentField form={form} />
      <MessageFields form={form} />
    </FormDialog>
  )
}
