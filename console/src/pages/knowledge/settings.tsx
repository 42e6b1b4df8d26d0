import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged } from '../../api/save.ts'
import { AccessFields } from '../../parts/access-fields.tsx'
import { Editor } from '../../parts/editor.tsx'
import { useForm } from '../../parts/form.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { AccessRules } from './access-rules.tsx'
import { ConfigurationFields } from './configuration.tsx'
import { type Source, sourceTypes } from './source-types.ts'

const toDraft = ({ name, description, configuration, access, access_rules }: Source) => ({
  name,
  description: description ?? null,
  configuration: configuration ?? {},
  access: access ?? null,
  access_rules: access_rules ?? [],
})

export function SourceSettings({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const form = useForm({
    saved: toDraft(source),
    invalidates: ['knowledge-sources'],
    run: (_, changes) => parley.knowledgeSources.update(source.id, changes, onlyIfUnchanged(source)),
    toast: ({ name }) => `${name} saved`,
  })
  return (
    <Editor form={form} mayWrite={mayWrite}>
      <Card title="Details">
        <TextField label="Name" {...form.field('name')} />
        <TextArea label="Description" rows={2} {...form.field('description', null)} />
      </Card>
      <Card title={sourceTypes[source.type].label}>
        <ConfigurationFields type={source.type} form={form} />
      </Card>
      {mayWrite && (
        <>
          <Card title="Access">
            <AccessFields form={form} everyoneHint="Everyone in the workspace sees the source." />
          </Card>
          <Card title="Access by document">
            <AccessRules form={form.part('access_rules')} />
          </Card>
        </>
      )}
    </Editor>
  )
}
