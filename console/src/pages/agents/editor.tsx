import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useModels, useTools } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { DraftNumber } from '../../parts/draft-fields.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { CheckField, SelectField, TagsField, TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { type Agent, type AgentPart, changesOf, type Draft, draftOf } from './draft.ts'
import { Instructions } from './instructions.tsx'

export function AgentEditor({ agent }: { agent: Agent }) {
  const [draft, setDraft] = useState(() => draftOf(agent))
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }))
  const changes = changesOf(agent, draft)
  const save = useSave({
    touches: ['agents'],
    run: () => parley.agents.update(agent.id, changes, onlyIfUnchanged(agent)),
    done: ({ version }) => `Saved as version ${version}`,
  })
  const wrong = fieldErrors(save.error)
  const { mutate, isPending } = save

  return (
    <form
      className="sections"
      onSubmit={(event) => {
        event.preventDefault()
        mutate(undefined)
      }}
    >
      <Card title="Instructions">
        <Instructions draft={draft} change={change} wrong={wrong} />
      </Card>
      <ModelCard draft={draft} change={change} wrong={wrong} />
      <ToolsCard draft={draft} change={change} wrong={wrong} />
      <Card title="Details">
        <div className="columns">
          <TextField label="Name" value={draft.name} error={wrong('name')} onChange={(name) => change({ name })} />
          <SelectField
            label="State"
            value={draft.status}
            onChange={(status) => change({ status: status as Draft['status'] })}
            options={[
              { value: 'active', label: 'Active' },
              { value: 'archived', label: 'Archived' },
            ]}
          />
        </div>
        <TextArea
          label="Description"
          rows={2}
          value={draft.description ?? ''}
          error={wrong('description')}
          onChange={(description) => change({ description: description || null })}
        />
        <TagsField
          label="Topics"
          hint="The subjects it covers; analytics groups by them."
          value={draft.topics}
          error={wrong('topics')}
          onChange={(topics) => change({ topics })}
        />
      </Card>
      <SaveBar
        changed={Object.keys(changes)}
        busy={isPending}
        onSave={() => mutate(undefined)}
        onDiscard={() => setDraft(draftOf(agent))}
      />
    </form>
  )
}

function ModelCard(part: AgentPart) {
  const { draft, change, wrong } = part
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  const standard = models.find(({ is_default: is }) => is)
  const named = models.map(({ id, name }) => ({ value: id, label: name }))
  const isUnknown = draft.model_id !== null && !models.some(({ id }) => id === draft.model_id)
  return (
    <Card title="Model">
      <SelectField
        label="Model"
        value={draft.model_id ?? ''}
        error={wrong('model_id')}
        onChange={(id) => change({ model_id: id || null })}
        options={[
          { value: '', label: `The default${standard ? ` (${standard.name})` : ''}` },
          ...named,
          ...(isUnknown ? [{ value: draft.model_id ?? '', label: draft.model_id ?? '' }] : []),
        ]}
      />
      <div className="columns">
        <DraftNumber
          part={part}
          name="temperature"
          label="Temperature"
          hint="0 is steady, 2 is wild."
          min={0}
          max={2}
          step={0.1}
        />
        <DraftNumber
          part={part}
          name="max_tokens"
          label="Longest reply"
          hint="In tokens; empty for the model’s own."
          min={1}
        />
        <DraftNumber
          part={part}
          name="max_steps"
          label="Steps"
          hint="Tool calls in one turn."
          min={1}
          max={50}
          empty={8}
        />
      </div>
      {models.length > 1 && (
        <fieldset className="choices">
          <legend>Fallbacks, when the first model fails</legend>
          {models
            .filter(({ id }) => id !== draft.model_id)
            .map(({ id, name }) => (
              <CheckField
                key={id}
                label={name}
                checked={draft.fallback_model_ids.includes(id)}
                onChange={(is) =>
                  change({
                    fallback_model_ids: is
                      ? [...draft.fallback_model_ids, id]
                      : draft.fallback_model_ids.filter((other) => other !== id),
                  })
                }
              />
            ))}
        </fieldset>
      )}
    </Card>
  )
}

function ToolsCard({ draft, change, wrong }: AgentPart) {
  const tools = useTools().data ?? []
  const unknown = draft.tools.filter((id) => !tools.some((tool) => tool.id === id))
  const all = [...tools, ...unknown.map((id) => ({ id, name: id, kind: '' }))]
  const problem = wrong('tools')
  return (
    <Card title="Tools">
      {all.length === 0 ? (
        <p className="muted">
          There are no tools yet. With them an agent searches your documents or calls your services.{' '}
          <Link to="/tools">Make one</Link>.
        </p>
      ) : (
        <fieldset className="choices">
          <legend className="unseen">Tools this agent may use</legend>
          {all.map(({ id, name, kind }) => (
            <CheckField
              key={id}
              label={name}
              hint={kind}
              checked={draft.tools.includes(id)}
              onChange={(is) =>
                change({ tools: is ? [...draft.tools, id] : draft.tools.filter((other) => other !== id) })
              }
            />
          ))}
        </fieldset>
      )}
      {problem && <p className="notice bad">{problem}</p>}
    </Card>
  )
}
