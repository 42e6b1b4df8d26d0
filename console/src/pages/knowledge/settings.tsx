import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { AccessFields } from '../../parts/access-fields.tsx'
import { changedFields } from '../../parts/drafts.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { AccessRules } from './access-rules.tsx'
import { ConfigurationFields, withTrimmedUrls } from './configuration.tsx'
import { type Source, sourceTypes } from './source-types.ts'

const draftOf = ({ name, description, configuration, access, access_rules }: Source) => ({
  name,
  description: description ?? null,
  configuration: configuration ?? {},
  access: access ?? null,
  access_rules: access_rules ?? [],
})
type Draft = ReturnType<typeof draftOf>

export function SourceSettings({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const [draft, setDraft] = useState(() => draftOf(source))
  const [isValid, setValid] = useState(true)
  // Fields with text of their own are made again when changes are discarded.
  const [resets, setResets] = useState(0)
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
        {mayWrite && (
          <>
            <Card title="Access">
              <AccessFields
                value={draft.access}
                onChange={(next) => change({ access: next })}
                errorAt={errorAt}
                everyoneHint="Everyone in the workspace sees the source."
              />
            </Card>
            <Card title="Access by document">
              <AccessRules
                key={resets}
                value={draft.access_rules}
                onChange={(rules) => change({ access_rules: rules })}
                errorAt={errorAt}
                onValid={setValid}
              />
            </Card>
          </>
        )}
      </fieldset>
      {mayWrite && (
        <SaveBar
          changed={Object.keys(changes)}
          isValid={isValid}
          busy={save.isPending}
          onSave={() => save.mutate(undefined)}
          onDiscard={() => {
            setDraft(draftOf(source))
            setValid(true)
            setResets(resets + 1)
          }}
        />
      )}
    </div>
  )
}
