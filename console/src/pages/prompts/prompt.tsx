import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { Editor } from '../../parts/editor.tsx'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { useForm } from '../../parts/form.ts'
import { Labels } from '../../parts/labels.tsx'
import { Versions } from '../../parts/versions.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { placeholdersIn } from './placeholders.ts'
import { Preview } from './preview.tsx'
import { TemplateField } from './template-field.tsx'
import { type NewValues, saveValues, UsedBy, useTemplateAgents } from './used-by.tsx'

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
  return <PromptEditor key={`${id} ${template.data.version}`} template={template.data} />
}

const toDraft = ({ name, description, template, type }: Template) => ({ name, description, template, type })

function PromptEditor({ template }: { template: Template }) {
  const mayWrite = useMay()('write-configuration')
  const navigate = useNavigate()
  const agents = useTemplateAgents(template.id).data ?? []
  const addedIn = (text: string) => placeholdersIn(text).filter((name) => !template.variables.includes(name))
  const [values, setValues] = useState<NewValues>({})
  const form = useForm({
    saved: toDraft(template),
    invalidates: ['prompt-templates', 'agents'],
    run: async (draft) => {
      await saveValues(agents, addedIn(draft.template), values)
      return parley.promptTemplates.update(template.id, draft, onlyIfUnchanged(template))
    },
    toast: ({ version }) => `Saved as version ${version}`,
  })
  const added = addedIn(form.draft.template)
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
            list={() => parley.promptTemplates.versions(template.id, { limit: 100 }).all(2000)}
            mayRestore={mayWrite}
            onRestore={(version) => restore.mutateAsync(version)}
          />
          <Labels
            kind="prompt-templates"
            id={template.id}
            newest={template.version}
            list={() => parley.promptTemplates.labels(template.id, { limit: 100 })}
            set={(label, version) => parley.promptTemplates.setLabel(template.id, label, { version })}
            remove={(label) => parley.promptTemplates.deleteLabel(template.id, label)}
            lead="Agents use the version labelled production. Without it, they use the newest."
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
        <Editor form={form} mayWrite={mayWrite}>
          <Card title="Template">
            <TemplateField {...form.field('template')} />
          </Card>
          {agents.length > 0 && (
            <UsedBy agents={agents} added={mayWrite ? added : []} values={values} onChange={setValues} />
          )}
          <Card title="Details">
            <div className="columns">
              <TextField label="Name" {...form.field('name')} />
              <SelectField
                label="Type"
                {...form.field('type')}
                options={[
                  { value: 'system', label: 'System prompt' },
                  { value: 'user', label: 'User message' },
                ]}
              />
            </div>
            <TextField label="Description" {...form.field('description', null)} />
          </Card>
        </Editor>
        <div className="sticky">
          <Preview template={form.draft.template} />
        </div>
      </div>
    </PageFrame>
  )
}
