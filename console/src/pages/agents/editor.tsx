import { Link, useParams } from '@tanstack/react-router'
import { useModels, useOtherAgents, useTools } from '../../api/lookups.ts'
import { AccessFields } from '../../parts/access-fields.tsx'
import { Editor } from '../../parts/editor.tsx'
import type { Form } from '../../parts/form.ts'
import { ChecklistField } from '../../ui/checklist-field.tsx'
import { distinguish, toLabels, toOptions } from '../../ui/distinct.ts'
import { NumberField, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import type { AgentFields, Draft } from './draft.ts'
import { Instructions } from './instructions.tsx'
import { MemorySettings } from './memory-settings.tsx'
import { MoreSettings } from './more-settings.tsx'

export const AgentEditor = ({ form }: { form: Form<Draft> }) => (
  <Editor form={form}>
    <Card title="Instructions">
      <Instructions form={form} />
    </Card>
    <ModelCard form={form} />
    <ToolsCard form={form} />
    <Card title="Details">
      <div className="columns">
        <TextField label="Name" {...form.field('name')} />
        <SelectField
          label="Status"
          {...form.field('status')}
          options={[
            { value: 'active', label: 'Active' },
            { value: 'archived', label: 'Archived' },
          ]}
        />
      </div>
      <TextArea label="Description" rows={2} {...form.field('description', null)} />
      <TagsField
        label="Topics"
        hint="Subjects this agent covers. Analytics groups questions by topic."
        {...form.field('topics')}
      />
    </Card>
    <Card title="Access">
      <AccessFields form={form} everyoneHint="Everyone in the workspace can chat with the agent." />
    </Card>
  </Editor>
)

function ModelCard({ form }: AgentFields) {
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  const defaultModel = models.find(({ is_default: is }) => is)
  const notes = distinguish(models)
  const { model_id: chosen, fallback_model_ids: fallbacks } = form.draft
  const others = models.filter(({ id }) => id !== chosen || fallbacks.includes(id))
  return (
    <Card title="Model">
      <SelectField
        label="Model"
        {...form.field('model_id', null)}
        options={[
          { value: '', label: `Default${defaultModel ? ` (${toLabels(models).get(defaultModel.id)})` : ''}` },
          ...toOptions(models),
        ]}
      />
      <div className="columns">
        <NumberField
          label="Temperature"
          hint="Lower is more predictable."
          min={0}
          max={2}
          step={0.1}
          {...form.field('temperature', null)}
        />
        <NumberField
          label="Max output tokens"
          hint="Empty: the model’s limit."
          min={1}
          {...form.field('max_tokens', null)}
        />
        <NumberField
          label="Max steps"
          hint="Rounds of tool calls per reply."
          min={1}
          max={50}
          {...form.field('max_steps', 8)}
        />
      </div>
      {models.length > 1 && (
        <ChecklistField
          label="Fallback models, used if the first one fails"
          {...form.field('fallback_model_ids')}
          options={others.map(({ id, name }) => ({ value: id, label: name, hint: notes.get(id) }))}
        />
      )}
      <MemorySettings form={form} />
      <MoreSettings form={form} />
    </Card>
  )
}

/** With the names of the API, where they differ. */
const kindLabels: Record<string, string> = { Answer: 'Answer (RAG tool)', Search: 'Search (retrieval tool)' }

function ToolsCard({ form }: AgentFields) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const agents = useOtherAgents(id)
  const tools = [...(useTools().data ?? []), ...agents]
  const notes = distinguish(tools.map(({ kind: _, ...tool }) => tool)) // the kind is always shown
  return (
    <Card title="Tools">
      {tools.length + form.draft.tools.length === 0 ? (
        <p className="muted">
          No tools yet. Tools let an agent search your documents or call your APIs.{' '}
          <Link to="/tools">Create a tool</Link>.
        </p>
      ) : (
        <ChecklistField
          label="Tools this agent can use"
          isLabelHidden
          {...form.field('tools')}
          options={tools.map(({ id, name, kind }) => ({
            value: id,
            label: name,
            hint: [kindLabels[kind] ?? kind, notes.get(id)].filter(Boolean).join(', '),
          }))}
        />
      )}
      {agents.length + form.draft.handoffs.length > 0 && (
        <ChecklistField
          label="Agents it can pass the conversation on to"
          {...form.field('handoffs')}
          options={agents.map(({ id, name }) => ({ value: id, label: name, hint: notes.get(id) }))}
        />
      )}
    </Card>
  )
}
