import type { Schemas } from '@parley/client'

export type Trigger = Schemas['Trigger']

/** The editable fields of a trigger. */
export const toDraft = ({
  name,
  agent_id,
  template,
  conversation_key,
}: Pick<Trigger, 'name' | 'agent_id' | 'template' | 'conversation_key'>) => ({
  name,
  agent_id,
  template,
  conversation_key,
})
export type Draft = ReturnType<typeof toDraft>
