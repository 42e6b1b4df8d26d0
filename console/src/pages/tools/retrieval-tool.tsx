import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { useMay } from '../../app/permissions.ts'
import { differences } from '../../parts/drafts.ts'
import { IndexFacts, isMoving } from '../../parts/index-state.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { NumberField, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { ErrorPanel, Loading } from '../../ui/states.tsx'
import { back, ToolFrame } from './frame.tsx'
import type { RetrievalTool } from './kinds.ts'
import { SearchFields, settingsOf } from './search-fields.tsx'
import { SourcesField } from './sources-field.tsx'
import { SearchWithTool } from './try-search.tsx'

const slowly = 5000

export default function RetrievalToolPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const tool = useQuery({
    queryKey: ['retrieval-tools', id],
    queryFn: ({ signal }) => parley.retrievalTools.get(id, { signal }),
    refetchInterval: ({ state }) => state.data && isMoving(state.data) && slowly,
  })
  if (tool.error) return <ErrorPanel error={tool.error} onRetry={() => void tool.refetch()} />
  if (!tool.data)
    return (
      <PageFrame title="Retrieval tool" back={back}>
        <Loading />
      </PageFrame>
    )
  return (
    <ToolFrame
      kind="retrieval"
      tool={tool.data}
      remove={(which) => parley.retrievalTools.delete(which)}
      editor={<Editor key={`${id} ${tool.data.updated_at}`} tool={tool.data} />}
      tryOut={<SearchWithTool key={id} tool={tool.data} />}
    />
  )
}

const draftOf = (tool: RetrievalTool) => ({
  name: tool.name,
  description: tool.description,
  knowledge_source_ids: tool.knowledge_source_ids,
  weights: tool.weights,
  rerank: tool.rerank,
  ...settingsOf(tool),
})
type Draft = ReturnType<typeof draftOf>

function Editor({ tool }: { tool: RetrievalTool }) {
  const mayWrite = useMay()('write-configuration')
  const [draft, setDraft] = useState(() => draftOf(tool))
  const [isValid, setIsValid] = useState(true)
  const [round, setRound] = useState(0)
  const change = (next: Partial<Draft>) => setDraft((now) => ({ ...now, ...next }))
  const changes = differences(draftOf(tool), draft)
  const save = useSave({
    touches: ['retrieval-tools', 'tools'],
    run: () => parley.retrievalTools.update(tool.id, changes, onlyIfUnchanged(tool)),
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
          <SourcesField
            value={draft.knowledge_source_ids}
            onChange={(ids) => change({ knowledge_source_ids: ids })}
            error={wrong('knowledge_source_ids')}
          />
        </Card>
        <Ranking draft={draft} change={change} wrong={wrong} />
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

interface RankingProps {
  draft: Draft
  change: (next: Partial<Draft>) => void
  wrong: (path: string) => string | undefined
}

function Ranking({ draft, change, wrong }: RankingProps) {
  const rerankers = (useModels().data ?? []).filter(({ type }) => type === 'rerank')
  const standard = ['none', 'mmr']
  const isKnown = [...standard, ...rerankers.map(({ id }) => id)].includes(draft.rerank)
  const weigh = (next: Partial<NonNullable<Draft['weights']>>) => {
    const weights = { vector: 1, keyword: 1, ...draft.weights, ...next }
    change({ weights })
  }
  return (
    <Card title="Ranking">
      <SelectField
        label="Rerank"
        value={draft.rerank}
        error={wrong('rerank')}
        onChange={(rerank) => change({ rerank })}
        options={[
          { value: 'none', label: 'No' },
          { value: 'mmr', label: 'Prefer passages that say different things' },
          ...rerankers.map(({ id, name }) => ({ value: id, label: name })),
          ...(isKnown ? [] : [{ value: draft.rerank, label: draft.rerank }]),
        ]}
      />
      {draft.search_mode === 'hybrid' && (
        <>
          <SelectField
            label="Weights"
            value={draft.weights ? 'own' : ''}
            onChange={(choice) => change({ weights: choice ? { vector: 1, keyword: 1 } : null })}
            options={[
              { value: '', label: 'What measured best' },
              { value: 'own', label: 'My own' },
            ]}
          />
          {draft.weights && (
            <div className="columns">
              <NumberField
                label="Meaning"
                min={0}
                step="any"
                value={draft.weights.vector}
                error={wrong('weights.vector')}
                onChange={(vector) => weigh({ vector: vector ?? 0 })}
              />
              <NumberField
                label="Words"
                min={0}
                step="any"
                value={draft.weights.keyword}
                error={wrong('weights.keyword')}
                onChange={(keyword) => weigh({ keyword: keyword ?? 0 })}
              />
            </div>
          )}
        </>
      )}
    </Card>
  )
}
