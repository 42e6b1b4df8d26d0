import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged } from '../../api/save.ts'
import { Editor } from '../../parts/editor.tsx'
import { useForm } from '../../parts/form.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { ActionFields } from './action-fields.tsx'
import { type Schedule, toDraft } from './draft.ts'
import { GrantedTools } from './granted-tools.tsx'
import { TimeFields } from './time-fields.tsx'

export function ScheduleSettings({ schedule }: { schedule: Schedule }) {
  const mayWrite = useMay()('write-configuration')
  const saved = toDraft(schedule)
  const form = useForm({
    saved,
    invalidates: ['schedules'],
    run: (_, changes) => parley.schedules.update(schedule.id, changes, onlyIfUnchanged(schedule)),
    toast: ({ name }) => `${name} saved`,
  })
  return (
    <Editor form={form} mayWrite={mayWrite}>
      <Card title="Details">
        <TextField label="Name" {...form.field('name')} />
      </Card>
      <Card title="Action">
        <ActionFields form={form} />
      </Card>
      <Card title="Times">
        <TimeFields form={form} saved={saved} />
        <div className="columns">
          <SelectField
            label="If a run has not ended when the next is due"
            {...form.field('overlap')}
            options={[
              { value: 'skip', label: 'Skip the next one' },
              { value: 'queue', label: 'Queue the next one' },
            ]}
          />
          <SelectField
            label="After an outage of more than five minutes"
            {...form.field('catch_up')}
            options={[
              { value: 'none', label: 'Skip the times that passed' },
              { value: 'last', label: 'Run once for the last time that passed' },
            ]}
          />
        </div>
      </Card>
      <GrantedTools form={form} />
    </Editor>
  )
}
