import { NumberField, SelectField } from '../../ui/field.tsx'
import type { AgentFields } from './draft.ts'

/** Sets the memory that an agent has beyond a conversation, and what it does with long ones. */
export function MemorySettings({ form }: AgentFields) {
  const { memory, context } = form.draft
  const summarizes = context.strategy === 'summarize'
  return (
    <div className="columns">
      <SelectField
        label="Memory"
        hint="Facts of one person never reach another."
        value={memory?.scope ?? ''}
        error={form.errorAt('memory')}
        onChange={(scope) =>
          form.change({ memory: scope === '' ? null : { write: 'tool', ...memory, scope: scope as 'user' | 'agent' } })
        }
        options={[
          { value: '', label: 'Off' },
          { value: 'user', label: 'What agents know of the person' },
          { value: 'agent', label: 'What this agent has learned' },
        ]}
      />
      {memory && (
        <SelectField
          label="Remembers"
          value={memory.write}
          onChange={(write) => form.change({ memory: { ...memory, write } })}
          options={[
            { value: 'tool', label: 'When the model decides to' },
            { value: 'auto', label: 'After each conversation' },
            { value: 'off', label: 'Nothing new' },
          ]}
        />
      )}
      <SelectField
        label="Long conversations"
        hint="What happens to messages that no longer fit the model."
        value={context.strategy ?? 'trim'}
        onChange={(strategy) => form.change({ context: { ...context, strategy } })}
        options={[
          { value: 'trim', label: 'Leave out the oldest messages' },
          { value: 'summarize', label: 'Summarize the oldest messages' },
        ]}
      />
      {summarizes && (
        <NumberField
          label="Keep word for word"
          hint="The number of last messages."
          min={2}
          max={1000}
          value={context.keep_messages ?? 20}
          error={form.errorAt('context.keep_messages')}
          onChange={(keep) => form.change({ context: { ...context, keep_messages: keep ?? 20 } })}
        />
      )}
    </div>
  )
}
