import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useModels, useTools } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { AccessFields } from '../../parts/access-fields.tsx'
import { DraftNumber } from '../../parts/draft-fields.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { labelsOf, notesOf, optionsOf } from '../../ui/distinct.ts'
import { fieldErrors } from '../../ui/errors.ts'
import { CheckField, SelectField, TagsField, TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import type { Agent, AgentDraftProps, Draft } from './draft.ts'
import { Instructions } from './instructions.tsx'
import { MoreSettings } from './more-settings.tsx'

interface AgentEditorProps {
  agent: Agent
  draft: Draft
  changes: Partial<Draft>
  /** Changes fields of the draft; null discards all changes. */
  change: (next: Partial<Draft> | null) => void
  /** The validation error of the last attempt to try the draft. */
  tryError: unknown
}

export function AgentEditor({ agent, draft, changes, change, tryError }: AgentEditorProps) {
  const save = useSave({
    invalidates: ['agents'],
    run: () => parley.agents.update(agent.id, changes, onlyIfUnchanged(agent)),
    toast: ({ version }) => `Saved as version ${version}`,
  })
  const errorAt = fieldErrors(tryError ?? save.error)
  const { mutate, isPending } = save
  const [isValid, setValid] = useState(true)
  // Fields with text of their own are made again when changes are discarded.
  const [resets, setResets] = useState(0)

  return (
    <form
      className="sections"
      onSubmit={(event) => {
        event.preventDefault()
        mutate(undefined)
      }}
    >
      <Card title="Instructions">
        <Instructions draft={draft} change={change} errorAt={errorAt} />
      </Card>
      <ModelCard key={`model ${resets}`} draft={draft} change={change} errorAt={errorAt} onValid={setValid} />
      <ToolsCard draft={draft} change={change} errorAt={errorAt} />
      <Card title="Details">
        <div className="columns">
          <TextField label="Name" value={draft.name} error={errorAt('name')} onChange={(name) => change({ name })} />
          <SelectField
            label="Status"
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
          error={errorAt('description')}
          onChange={(description) => change({ description: description || null })}
        />
        <TagsField
          label="Topics"
          hint="Subjects this agent covers. Analytics groups questions by topic."
          value={draft.topics}
          error={errorAt('topics')}
          onChange={(topics) => change({ topics })}
        />
      </Card>
      <Card title="Access">
        <AccessFields
          value={draft.access}
          onChange={(access) => change({ access })}
          errorAt={errorAt}
          everyoneHint="Everyone in the workspace can chat with the agent."
        />
      </Card>
      <SaveBar
        changed={Object.keys(changes)}
        isValid={isValid}
        busy={isPending}
        onSave={() => mutate(undefined)}
        onDiscard={() => {
          change(null)
          setValid(true)
          setResets(resets + 1)
        }}
      />
    </form>
  )
}

const noteOf = (hint: string | undefined) => (hint ? { hint } : {})

function ModelCard({ onValid, ...part }: AgentDraftProps & { onValid: (is: boolean) => void }) {
  const { draft, change, errorAt } = part
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  const defaultModel = models.find(({ is_default: is }) => is)
  const labels = labelsOf(models)
  const notes = notesOf(models)
  const isUnknown = draft.model_id !== null && !models.some(({ id }) => id === draft.model_id)
  return (
    <Card title="Model">
      <SelectField
        label="Model"
        value={draft.model_id ?? ''}
        error={errorAt('model_id')}
        onChange={(id) => change({ model_id: id || null })}
        options={[
          { value: '', label: `Default${defaultModel ? ` (${labels.get(defaultModel.id)})` : ''}` },
          ...optionsOf(models),
          ...(isUnknown ? [{ value: draft.model_id ?? '', label: draft.model_id ?? '' }] : []),
        ]}
      />
      <div className="columns">
        <DraftNumber
          part={part}
          name="temperature"
          label="Temperature"
          hint="Lower is more predictable."
          min={0}
          max={2}
          step={0.1}
        />
        <DraftNumber part={part} name="max_tokens" label="Max output tokens" hint="Empty: the model’s limit." min={1} />
        <DraftNumber
          part={part}
          name="max_steps"
          label="Max steps"
          hint="Rounds of tool calls per reply."
          min={1}
          max={50}
          empty={8}
        />
      </div>
      {models.length > 1 && (
        <fieldset className="choices">
          <legend>Fallback models, used if the first one fails</legend>
          {models
            .filter(({ id }) => id !== draft.model_id)
            .map(({ id, name }) => (
              <CheckField
                key={id}
                label={name}
                {...noteOf(notes.get(id))}
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
      <MoreSettings {...part} onValid={onValid} />
    </Card>
  )
}

function ToolsCard({ draft, change, errorAt }: AgentDraftProps) {
  const tools = useTools().data ?? []
  const unknown = draft.tools.filter((id) => !tools.some((tool) => tool.id === id))
  const all = [...tools, ...unknown.map((id) => ({ id, name: id, kind: '' }))]
  const notes = notesOf(all.map(({ kind: _, ...tool }) => tool)) // the kind is always shown
  const problem = errorAt('tools')
  return (
    <Card title="Tools">
      {all.length === 0 ? (
        <p className="muted">
          No tools yet. Tools let an agent search your documents or call your APIs.{' '}
          <Link to="/tools">Create a tool</Link>.
        </p>
      ) : (
        <fieldset className="choices">
          <legend className="visually-hidden">Tools this agent can use</legend>
          {all.map(({ id, name, kind }) => (
            <CheckField
              key={id}
              label={name}
              hint={[kind, notes.get(id)].filter(Boolean).join(', ')}
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
