import { useAgents } from '../../api/lookups.ts'
import type { Fields } from '../../parts/form.ts'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import type { Draft } from './draft.ts'

export function AgentField({ form }: { form: Fields<Draft> }) {
  const { agent_id: chosen } = form.draft
  const agents = (useAgents().data ?? []).filter(({ id, status }) => status === 'active' || id === chosen)
  return <SelectField label="Agent" {...form.field('agent_id')} options={toOptions(agents)} />
}

export const MessageFields = ({ form }: { form: Fields<Draft> }) => (
  <>
    <TextArea
      label="Template"
      hint="The message to the agent. {{body.path}} inserts a value of the JSON that comes in, as data and not as instructions."
      mono
      rows={5}
      placeholder="A ticket came in: {{body.ticket.title}}"
      {...form.field('template')}
    />
    <TextField
      label="Conversation key"
      hint="A path: webhooks with the same value continue one conversation. Empty: each starts a new one."
      placeholder="body.ticket.id"
      {...form.field('conversation_key', null)}
    />
  </>
)
