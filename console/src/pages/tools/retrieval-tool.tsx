import { useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import type { PartProps } from '../../parts/draft-fields.tsx'
import { NumberField, SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import type { RetrievalTool } from './kinds.ts'
import { settingsOf } from './search-fields.tsx'
import { SearchToolPage } from './search-tool.tsx'
import { SourcesField } from './sources-field.tsx'
import { SearchWithTool } from './try-search.tsx'

const draftOf = (tool: RetrievalTool) => ({
  name: tool.name,
  description: tool.description,
  knowledge_source_ids: tool.knowledge_source_ids,
  weights: tool.weights,
  rerank: tool.rerank,
  ...settingsOf(tool),
})
type Draft = ReturnType<typeof draftOf>

export default function RetrievalToolPage() {
  return (
    <SearchToolPage
      kind="retrieval"
      resource={parley.retrievalTools}
      draftOf={draftOf}
      Details={Sources}
      More={Ranking}
      TryOut={SearchWithTool}
    />
  )
}

const Sources = ({ draft, change, wrong }: PartProps<Draft>) => (
  <SourcesField
    value={draft.knowledge_source_ids}
    onChange={(ids) => change({ knowledge_source_ids: ids })}
    error={wrong('knowledge_source_ids')}
  />
)

function Ranking({ draft, change, wrong }: PartProps<Draft>) {
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
