import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { nameIn, useModels, useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { useMay } from '../../app/permissions.ts'
import { differences } from '../../parts/drafts.ts'
import { IndexFacts, isMoving } from '../../parts/index-state.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { ErrorPanel, Loading } from '../../ui/states.tsx'
import { back, ToolFrame } from './frame.tsx'
import type { RagTool } from './kinds.ts'
import { SearchFields, settingsOf } from './search-fields.tsx'
import { AskTool } from './try-search.tsx'

const slowly = 5000

export default function RagToolPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const tool = useQuery({
    queryKey: ['rag-tools', id],
    queryFn: ({ signal }) => parley.ragTools.get(id, { signal }),
    refetchInterval: ({ state }) => state.data && isMoving(state.data) && slowly,
  })
  if (tool.error) return <ErrorPanel error={tool.error} onRetry={() => void tool.refetch()} />
  if (!tool.data)
    return (
      <PageFrame title="RAG tool" back={back}>
        <Loading />
      </PageFrame>
    )
  return (
    <ToolFrame
      kind="rag"
      tool={tool.data}
      remove={(which) => parley.ragTools.delete(which)}
      editor={<Editor key={`${id} ${tool.data.updated_at}`} tool={tool.data} />}
      tryOut={<AskTool key={id} tool={tool.data} />}
    />
  )
}

const draftOf = (tool: RagTool) => ({
  name: tool.name,
  description: tool.description,
  knowledge_source_id: tool.knowledge_source_id,
  model_id: tool.model_id,
  ...settingsOf(tool),
})
type Draft = ReturnType<typeof draftOf>

function Editor({ tool }: { tool: RagTool }) {
  const mayWrite = useMay()('write-configuration')
  const sources = useSources().data ?? []
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  const [draft, setDraft] = useState(() => draftOf(tool))
  const [isValid, setIsValid] = useState(true)
  const [round, setRound] = useState(0)
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }))
  const changes = differences(draftOf(tool), draft)
  const save = useSave({
    touches: ['rag-tools', 'tools'],
    run: () => parley.ragTools.update(tool.id, changes, onlyIfUnchanged(tool)),
    done: ({ name }) => `${name} was saved`,
  })
  const wrong = fieldErrors(save.error)
  return (
    <div className="sections">
      <Card title="Index state">
        <IndexFacts {...tool} />
      </Card>
      <fieldset key={round} className="unframed sections" disabled={!mayWrite}>
        <Card title="Details">
          <TextField label="Name" value={draft.name} error={wrong('name')} onChange={(name) => change({ name })} />
          <TextArea
            label="Description"
            hint="Tells the model what is in there and when to look."
            rows={2}
            value={draft.description ?? ''}
            error={wrong('description')}
            onChange={(text) => change({ description: text || null })}
          />
          <div className="columns">
            <SelectField
              label="Knowledge source"
              value={draft.knowledge_source_id}
              error={wrong('knowledge_source_id')}
              onChange={(id) => change({ knowledge_source_id: id })}
              options={withCurrent(sources, draft.knowledge_source_id)}
            />
            <SelectField
              label="Model that answers"
              value={draft.model_id ?? ''}
              error={wrong('model_id')}
              onChange={(id) => change({ model_id: id || null })}
              options={[{ value: '', label: 'The default' }, ...withCurrent(models, draft.model_id)]}
            />
          </div>
        </Card>
        <SearchFields draft={draft} change={change} wrong={wrong} onValid={setIsValid} />
      </fieldset>
      {mayWrite && (
        <SaveBar
          changed={Object.keys(changes)}
          isValid={isValid}
          busy={save.isPending}
          onSave={() => save.mutate(undefined)}
          onDiscard={() => {
            setDraft(draftOf(tool))
            setIsValid(true)
            setRound(round + 1)
          }}
        />
      )}
    </div>
  )
}

/** The choices, with the current one also where it is not among them. */
const withCurrent = (rows: readonly { id: string; name: string }[], current: string | null) => [
  ...rows.map(({ id, name }) => ({ value: id, label: name })),
  ...(current === null || rows.some(({ id }) => id === current)
    ? []
    : [{ value: current, label: nameIn(rows, current) }]),
]
