import { useNavigate } from '@tanstack/react-router'
import { useActiveAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Scorers } from '../evaluations/scorers.tsx'
import { newMonitor } from './draft.ts'
import { SampleFields } from './fields.tsx'

export function NewMonitor({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const agents = useActiveAgents().data ?? []
  const form = useForm({
    saved: { ...newMonitor, agent_id: agents[0]?.id ?? '' },
    invalidates: ['monitors'],
    run: (draft) => parley.monitors.create(draft),
    toast: ({ name }) => `${name} created`,
    onDone: ({ id }) => void navigate({ to: `/monitors/${id}` }),
  })
  const { name, agent_id } = form.draft
  return (
    <FormDialog
      wide
      title="New monitor"
      form={form}
      action="Create monitor"
      isComplete={name.trim() !== '' && agent_id !== ''}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Helpful answers" {...form.field('name')} />
      <SelectField label="Agent" {...form.field('agent_id')} options={toOptions(agents)} />
      <Scorers isLive form={form.part('scorers')} target="agent" disabled={false} />
      <SampleFields form={form} />
    </FormDialog>
  )
}
