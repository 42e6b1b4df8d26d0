import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { changedFields } from '../../parts/drafts.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { Versions } from '../../parts/versions.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { placeholdersIn } from './placeholders.ts'
import { Preview } from './preview.tsx'
import { TemplateField } from './template-field.tsx'
import { type NewValues, saveValues, UsedBy, useAgentsOf } from './used-by.tsx'

type Template = Schemas['PromptTemplate']
const back = { to: '/prompts', label: 'Prompts' }

export default function PromptPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const template = useQuery({
    queryKey: ['prompt-templates', id],
    queryFn: ({ signal }) => parley.promptTemplates.get(id, { signal }),
  })
  if (template.error) return <ErrorPanel error={template.error} onRetry={() => void template.refetch()} />
  if (!template.data)
    return (
      <PageFrame title="Prompt" back={back}>
        <Loading />
      </PageFrame>
    )
  return <Editor key={`${id} ${template.data.version}`} template={template.data} />
}

function Editor({ template }: { template: Template }) {
  const may = useMay()
  const mayWrite = may('write-configuration')
  const navigate = useNavigate()
  const before = {
    name: template.name,
    description: template.description,
    template: template.template,
    type: template.type,
  }
  const [draft, setDraft] = useState(before)
  const change = (next: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...next }))
  const agents = useAgentsOf(template.id).data ?? []
  const added = placeholdersIn(draft.template).filter((name) => !template.variables.includes(name))
  const [values, setValues] = useState<NewValues>({})
  const save = useSave({
    invalidates: ['prompt-templates', 'agents'],
    run: async () => {
      await saveValues(agents, added, values)
      return parley.promptTemplates.update(template.id, draft, onlyIfUnchanged(template))
    },
    toast: ({ version }) => `Saved as version ${version}`,
  })
  const restore = useSave({
    invalidates: ['prompt-templates'],
    run: (version: number) => parley.promptTemplates.restore(template.id, version),
    toast: ({ version }) => `Restored as version ${version}`,
  })
  const remove = useSave({
    invalidates: ['prompt-templates', 'status'],
    run: () => parley.promptTemplates.delete(template.id),
    toast: `${template.name} deleted`,
    onDone: () => void navigate({ to: '/prompts', ignoreBlocker: true }),
  })
  const errorAt = fieldErrors(save.error)

  return (
    <PageFrame
      title={template.name}
      lead={template.description}
      back={back}
      wide
      actions={
        <>
          <Versions
            kind="prompt-templates"
            id={template.id}
            current={template.version}
            list={() => parley.promptTemplates.versions(template.id, { limit: 100 })}
            mayRestore={mayWrite}
            onRestore={(version) => restore.mutateAsync(version)}
          />
          {mayWrite && (
            <Confirm
              trigger={<IconButton icon={Trash2} label="Delete template" />}
              title={`Delete ${template.name}?`}
              text="You cannot delete a template that an agent uses."
              action="Delete template"
              onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
            />
          )}
        </>
      }
    >
      <div className="split">
        <form
          className="sections"
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate(undefined)
          }}
        >
          <Card title="Template">
            <TemplateField
              value={draft.template}
              disabled={!mayWrite}
              error={errorAt('template')}
              onChange={(text) => change({ template: text })}
            />
          </Card>
          {agents.length > 0 && (
            <UsedBy agents={agents} added={mayWrite ? added : []} values={values} onChange={setValues} />
          )}
          <Card title="Details">
            <div className="columns">
              <TextField
                label="Name"
                value={draft.name}
                disabled={!mayWrite}
                error={errorAt('name')}
                onChange={(name) => change({ name })}
              />
              <SelectField
                label="Type"
                value={draft.type}
                disabled={!mayWrite}
                onChange={(type) => change({ type: type as Template['type'] })}
                options={[
                  { value: 'system', label: 'System prompt' },
                  { value: 'user', label: 'User message' },
                ]}
              />
            </div>
            <TextField
              label="Description"
              value={draft.description ?? ''}
              disabled={!mayWrite}
              onChange={(description) => change({ description: description || null })}
            />
          </Card>
          {mayWrite && (
            <SaveBar
              changed={Object.keys(changedFields(before, draft))}
              busy={save.isPending}
              onSave={() => save.mutate(undefined)}
              onDiscard={() => setDraft(before)}
            />
          )}
        </form>
        <div className="sticky">
          <Preview template={draft.template} />
        </div>
      </div>
    </PageFrame>
  )
}
