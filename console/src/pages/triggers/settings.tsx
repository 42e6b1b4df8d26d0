import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged } from '../../api/save.ts'
import { Editor } from '../../parts/editor.tsx'
import { useForm } from '../../parts/form.ts'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { type Trigger, toDraft } from './draft.ts'
import { AgentField, MessageFields } from './fields.tsx'

export function TriggerSettings({ trigger }: { trigger: Trigger }) {
  const mayWrite = useMay()('write-configuration')
  const form = useForm({
    saved: toDraft(trigger),
    invalidates: ['triggers'],
    run: (_, changes) => parley.triggers.update(trigger.id, changes, onlyIfUnchanged(trigger)),
    toast: ({ name }) => `${name} saved`,
  })
  return (
    <Editor form={form} mayWrite={mayWrite}>
      <Card title="Details">
        <div className="columns">
          <TextField label="Name" {...form.field('name')} />
          <AgentField form={form} />
        </div>
      </Card>
      <Card title="Message">
        <MessageFields form={form} />
      </Card>
    </Editor>
  )
}
