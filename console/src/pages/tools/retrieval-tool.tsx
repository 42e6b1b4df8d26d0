import { useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import type { DraftProps } from '../../parts/draft-fields.tsx'
import { optionsOf } from '../../ui/distinct.ts'
import { NumberField, SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { settingsOf } from './search-fields.tsx'
import { SearchToolPage } from './search-tool.tsx'
import { SourcesField } from './sources-field.tsx'
import type { RetrievalTool } from './tool-types.ts'
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

const Sources = ({ draft, change, errorAt }: DraftProps<Draft>) => (
  <SourcesField
    value={draft.knowledge_source_ids}
    onChange={(ids) => change({ knowledge_source_ids: ids })}
    error={errorAt('knowledge_source_ids')}
  />
)

function Ranking({ draft, change, errorAt }: DraftProps<Draft>) {
  const rerankers = (useModels().data ?? []).filter(({ type }) => type === 'rerank')
  const isKnown = ['none', 'mmr', ...rerankers.map(({ id }) => id)].includes(draft.rerank)
  const setWeights = (next: Partial<NonNullable<Draft['weights']>>) => {
    const weights = { vector: 1, keyword: 1, ...draft.weights, ...next }
    change({ weights })
  }
  return (
    <Card title="Ranking">
      <SelectField
        label="Rerank"
        value={draft.rerank}
        error={errorAt('rerank')}
        onChange={(rerank) => change({ rerank })}
        options={[
          { value: 'none', label: 'None' },
          { value: 'mmr', label: 'MMR (diverse passages)' },
          ...optionsOf(rerankers),
          ...(isKnown ? [] : [{ value: draft.rerank, label: draft.rerank }]),
        ]}
      />
      {draft.search_mode === 'hybrid' && (
        <>
          <SelectField
            label="Weights"
            value={draft.weights ? 'custom' : ''}
            onChange={(choice) => change({ weights: choice ? { vector: 1, keyword: 1 } : null })}
            options={[
              { value: '', label: 'Default' },
              { value: 'custom', label: 'Custom' },
            ]}
          />
          {draft.weights && (
            <div className="columns">
              <NumberField
                label="Semantic"
                min={0}
                step="any"
                value={draft.weights.vector}
                error={errorAt('weights.vector')}
                onChange={(vector) => setWeights({ vector: vector ?? 0 })}
              />
              <NumberField
                label="Keyword"
                min={0}
                step="any"
                value={draft.weights.keyword}
                error={errorAt('weights.keyword')}
                onChange={(keyword) => setWeights({ keyword: keyword ?? 0 })}
              />
            </div>
          )}
        </>
      )}
    </Card>
  )
}
