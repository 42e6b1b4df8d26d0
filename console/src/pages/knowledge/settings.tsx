import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { changedFields } from '../../parts/drafts.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { ConfigurationFields, withTrimmedUrls } from './configuration.tsx'
import { type Source, sourceTypes } from './source-types.ts'

const draftOf = ({ name, description, configuration }: Source) => ({
  name,
  description: description ?? null,
  configuration: configuration ?? {},
})
type Draft = ReturnType<typeof draftOf>

export function SourceSettings({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const [draft, setDraft] = useState(() => draftOf(source))
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }))
  const changes = changedFields(draftOf(source), { ...draft, configuration: withTrimmedUrls(draft.configuration) })
  const save = useSave({
    invalidates: ['knowledge-sources'],
    run: () => parley.knowledgeSources.update(source.id, changes, onlyIfUnchanged(source)),
    toast: ({ name }) => `${name} saved`,
  })
  const errorAt = fieldErrors(save.error)
  return (
    <div className="sections">
      <fieldset className="unframed sections" disabled={!mayWrite}>
        <Card title="Details">
          <TextField label="Name" value={draft.name} error={errorAt('name')} onChange={(name) => change({ name })} />
          <TextArea
            label="Description"
            rows={2}
            value={draft.description ?? ''}
            error={errorAt('description')}
            onChange={(text) => change({ description: text || null })}
          />
        </Card>
        <Card title={sourceTypes[source.type].label}>
          <ConfigurationFields
            type={source.type}
            value={draft.configuration}
            onChange={(configuration) => change({ configuration })}
            errorAt={errorAt}
          />
        </Card>
      </fieldset>
      {mayWrite && (
        <SaveBar
          changed={Object.keys(changes)}
          busy={save.isPending}
          onSave={() => save.mutate(undefined)}
          onDiscard={() => setDraft(draftOf(source))}
        />
      )}
    </div>
  )
}
