import { useOtherAgents, useTools } from '../../api/lookups.ts'
import { NumberField, SelectField } from '../../ui/field.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import type { AgentFields, Draft } from './draft.ts'
import { ResponseFormat } from './response-format.tsx'

const names = [
  'top_p',
  'seed',
  'reasoning_effort',
  'stop',
  'response_format',
  'tool_choice',
  'parallel_tool_calls',
] as const satisfies (keyof Draft)[]

/** Settings that few agents need. Open if one of them is set or wrong. */
export function MoreSettings({ form }: AgentFields) {
  const isSet = names.some((name) => form.draft[name] !== null || form.errorAt(name) !== undefined)
  return (
    <details open={isSet || undefined}>
      <summary>More settings</summary>
      <div className="stack">
        <div className="columns">
          <NumberField
            label="Top P"
            hint="Limits the choice to the likeliest words. Change this or the temperature, not both."
            min={0}
            max={1}
            step={0.05}
            {...form.field('top_p', null)}
          />
          <NumberField
            label="Seed"
            hint="The same number makes replies repeatable."
            step={1}
            {...form.field('seed', null)}
          />
          <SelectField
            label="Reasoning effort"
            hint="How long a reasoning model thinks."
            {...form.field('reasoning_effort', null)}
            options={[
              { value: '', label: 'Default' },
              { value: 'low', label: 'Low' },
              { value: 'medium', label: 'Medium' },
              { value: 'high', label: 'High' },
            ]}
          />
        </div>
        <TagsField
          label="Stop texts"
          hint="The reply ends before one of these. Up to four."
          {...form.field('stop', null)}
        />
        <ToolSettings form={form} />
        <ResponseFormat form={form} />
      </div>
    </details>
  )
}

function ToolSettings({ form }: AgentFields) {
  const tools = [...(useTools().data ?? []), ...useOtherAgents('')]
  const { tool_choice: choice, parallel_tool_calls: isParallel } = form.draft
  const toolName = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
  return (
    <div className="columns">
      <SelectField
        label="Tool use"
        hint="What the model does first in a reply."
        {...form.field('tool_choice', null)}
        options={[
          { value: '', label: 'The model decides' },
          { value: 'required', label: 'Always call a tool' },
          { value: 'none', label: 'Never call a tool' },
          ...(choice === 'auto' ? [{ value: 'auto', label: 'The model decides (auto)' }] : []),
          ...form.draft.tools.map((id) => ({ value: id, label: `Always call ${toolName(id)}` })),
        ]}
      />
      <SelectField
        label="Several tools at once"
        error={form.errorAt('parallel_tool_calls')}
        value={isParallel === null ? '' : String(isParallel)}
        onChange={(is) => form.change({ parallel_tool_calls: is === '' ? null : is === 'true' })}
        options={[
          { value: '', label: 'Default' },
          { value: 'true', label: 'Allowed' },
          { value: 'false', label: 'One at a time' },
        ]}
      />
    </div>
  )
}
