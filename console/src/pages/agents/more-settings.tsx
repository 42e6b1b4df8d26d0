import { useTools } from '../../api/lookups.ts'
import { DraftNumber } from '../../parts/draft-fields.tsx'
import { SelectField, TagsField } from '../../ui/field.tsx'
import type { AgentDraftProps, Draft } from './draft.ts'
import { ResponseFormat } from './response-format.tsx'

/** Settings that few agents need. Open if one of them is set or wrong. */
export function MoreSettings({ onValid, ...part }: AgentDraftProps & { onValid: (is: boolean) => void }) {
  const { draft, change, errorAt } = part
  const isSet = names.some((name) => draft[name] !== null || errorAt(name) !== undefined)
  return (
    <details open={isSet || undefined}>
      <summary>More settings</summary>
      <div className="stack">
        <div className="columns">
          <DraftNumber
            part={part}
            name="top_p"
            label="Top P"
            hint="Limits the choice to the likeliest words. Change this or the temperature, not both."
            min={0}
            max={1}
            step={0.05}
          />
          <DraftNumber part={part} name="seed" label="Seed" hint="The same number makes replies repeatable." step={1} />
          <SelectField
            label="Reasoning effort"
            hint="How long a reasoning model thinks."
            value={draft.reasoning_effort ?? ''}
            error={errorAt('reasoning_effort')}
            onChange={(effort) => change({ reasoning_effort: (effort || null) as Draft['reasoning_effort'] })}
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
          value={draft.stop === null ? [] : [draft.stop].flat()}
          error={errorAt('stop')}
          onChange={(stop) => change({ stop: stop.length > 0 ? stop : null })}
        />
        <ToolSettings {...part} />
        <ResponseFormat {...part} onValid={onValid} />
      </div>
    </details>
  )
}

const names = [
  'top_p',
  'seed',
  'reasoning_effort',
  'stop',
  'response_format',
  'tool_choice',
  'parallel_tool_calls',
] as const satisfies (keyof Draft)[]

function ToolSettings({ draft, change, errorAt }: AgentDraftProps) {
  const tools = useTools().data ?? []
  const toolName = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
  return (
    <div className="columns">
      <SelectField
        label="Tool use"
        hint="What the model does first in a reply."
        value={draft.tool_choice ?? ''}
        error={errorAt('tool_choice')}
        onChange={(choice) => change({ tool_choice: choice || null })}
        options={[
          { value: '', label: 'The model decides' },
          { value: 'required', label: 'Always call a tool' },
          { value: 'none', label: 'Never call a tool' },
          ...(draft.tool_choice === 'auto' ? [{ value: 'auto', label: 'The model decides (auto)' }] : []),
          ...draft.tools.map((id) => ({ value: id, label: `Always call ${toolName(id)}` })),
        ]}
      />
      <SelectField
        label="Several tools at once"
        value={draft.parallel_tool_calls === null ? '' : String(draft.parallel_tool_calls)}
        error={errorAt('parallel_tool_calls')}
        onChange={(choice) => change({ parallel_tool_calls: choice === '' ? null : choice === 'true' })}
        options={[
          { value: '', label: 'Default' },
          { value: 'true', label: 'Allowed' },
          { value: 'false', label: 'One at a time' },
        ]}
      />
    </div>
  )
}
