import { useModels } from '../../api/lookups.ts'
import { DraftNumber, type DraftProps } from '../../parts/draft-fields.tsx'
import { optionsOf } from '../../ui/distinct.ts'
import { SelectField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Card } from '../../ui/page.tsx'
import type { RagTool, RetrievalTool } from './tool-types.ts'

export type SearchSettings = Pick<
  RagTool | RetrievalTool,
  'embedding_model' | 'chunk_size' | 'chunk_overlap' | 'top_k' | 'search_mode' | 'score_threshold' | 'filters'
>

export const settingsOf = (tool: RagTool | RetrievalTool): SearchSettings => ({
  embedding_model: tool.embedding_model,
  chunk_size: tool.chunk_size,
  chunk_overlap: tool.chunk_overlap,
  top_k: tool.top_k,
  search_mode: tool.search_mode,
  score_threshold: tool.score_threshold,
  filters: tool.filters,
})

interface FieldsProps extends DraftProps<SearchSettings> {
  onValid: (isValid: boolean) => void
}

/** The chunking and search settings that RAG and retrieval tools share. */
export function SearchFields({ onValid, ...part }: FieldsProps) {
  const { draft, change, errorAt } = part
  const models = (useModels().data ?? []).filter(({ type }) => type === 'embedding')
  const isKnown = models.some(({ id, model_id: name }) => [id, name].includes(draft.embedding_model ?? ''))
  return (
    <>
      <Card title="Search">
        <div className="columns">
          <SelectField
            label="Search mode"
            value={draft.search_mode}
            onChange={(mode) => change({ search_mode: mode as SearchSettings['search_mode'] })}
            options={[
              { value: 'hybrid', label: 'Hybrid' },
              { value: 'vector', label: 'Semantic' },
              { value: 'keyword', label: 'Keyword' },
            ]}
          />
          <DraftNumber
            part={part}
            name="top_k"
            label="Max results"
            hint="Passages per search."
            min={1}
            max={50}
            empty={5}
          />
          <DraftNumber
            part={part}
            name="score_threshold"
            label="Minimum score"
            hint="0 to 1. Empty: no minimum."
            min={0}
            max={1}
            step={0.05}
          />
        </div>
        <JsonField
          label="Filters"
          hint="Filter by document metadata, such as {&quot;year&quot;: {&quot;gte&quot;: 2024}}."
          rows={2}
          value={Object.keys(draft.filters ?? {}).length === 0 ? null : draft.filters}
          empty={{}}
          error={errorAt('filters')}
          onValid={onValid}
          onChange={(filters) => change({ filters: filters as SearchSettings['filters'] })}
        />
      </Card>
      <Card title="Index">
        <p className="muted small">
          Changes here rebuild the index in the background. The current index is used until the new one is ready.
        </p>
        <SelectField
          label="Embedding model"
          value={models.find(({ model_id: name }) => name === draft.embedding_model)?.id ?? draft.embedding_model ?? ''}
          error={errorAt('embedding_model')}
          onChange={(id) => change({ embedding_model: models.find((model) => model.id === id)?.model_id ?? id })}
          options={[
            ...(isKnown ? [] : [{ value: draft.embedding_model ?? '', label: draft.embedding_model ?? 'Default' }]),
            ...optionsOf(models),
          ]}
        />
        <div className="columns">
          <DraftNumber
            part={part}
            name="chunk_size"
            label="Chunk size"
            hint="In tokens."
            min={50}
            max={4000}
            empty={400}
          />
          <DraftNumber
            part={part}
            name="chunk_overlap"
            label="Chunk overlap"
            hint="Tokens repeated from the previous chunk."
            min={0}
            max={3999}
          />
        </div>
      </Card>
    </>
  )
}
