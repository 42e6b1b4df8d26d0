import { useNavigate } from '@tanstack/react-router'
import { useActiveAgents } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useListParams } from '../../ui/list.tsx'
import { ActionFields } from './action-fields.tsx'
import { daily, isComplete, toDraft } from './draft.ts'
import { TimeFields } from './time-fields.tsx'

export function NewSchedule({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [agent] = useActiveAgents().data ?? []
  const { sync: source } = useListParams().search
  const form = useForm({
    saved: toDraft({
      name: '',
      cron: daily,
      at: null,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      action: source
        ? { type: 'sync', knowledge_source_id: source }
        : { type: 'message', ...(agent && { agent_id: agent.id }) },
      overlap: 'skip',
      catch_up: 'none',
      approved_tools: [],
    }),
    invalidates: ['schedules'],
    run: (draft) => parley.schedules.create(draft),
    toast: ({ name }) => `${name} created`,
    onDone: ({ id }) => void navigate({ to: `/schedules/${id}` }),
  })
  const { name, cron, at, action } = form.draft
  return (
    <FormDialog
      wide
      title="New schedule"
      form={form}
      action="Create schedule"
      isComplete={name.trim() !== '' && Boolean(cron?.trim() || at) && isComplete(action)}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Morning report" {...form.field('name')} />
      <ActionFields form={form} />
      <TimeFields form={form} />
    </FormDialog>
  )
}
