import { useModels } from '../../api/lookups.ts'
import { DraftNumber, type PartProps } from '../../parts/draft-fields.tsx'
import { SelectField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Card } from '../../ui/page.tsx'
import type { RagTool, RetrievalTool } from './kinds.ts'

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

interface FieldsProps extends PartProps<SearchSettings> {
  onValid: (isValid: boolean) => void
}

/** How documents are cut and searched: the same for RAG and retrieval tools. */
export function SearchFields({ onValid, ...part }: FieldsProps) {
  const { draft, change, wrong } = part
  const models = (useModels().data ?? []).filter(({ type }) => type === 'embedding')
  const isKnown = models.some(({ id, model_id: name }) => [id, name].includes(draft.embedding_model ?? ''))
  return (
    <>
      <Card title="Search">
        <div className="columns">
          <SelectField
            label="How to search"
            value={draft.search_mode}
            onChange={(mode) => change({ search_mode: mode as SearchSettings['search_mode'] })}
            options={[
              { value: 'hybrid', label: 'By words and meaning' },
              { value: 'vector', label: 'By meaning' },
              { value: 'keyword', label: 'By words' },
            ]}
          />
          <DraftNumber
            part={part}
            name="top_k"
            label="Passages"
            hint="How many are found."
            min={1}
            max={50}
            empty={5}
          />
          <DraftNumber
            part={part}
            name="score_threshold"
            label="Lowest score"
            hint="0 to 1; empty for all."
            min={0}
            max={1}
            step={0.05}
          />
        </div>
        <JsonField
          label="Filters"
          hint="Over the metadata of documents, such as {&quot;year&quot;: {&quot;gte&quot;: 2024}}."
          rows={2}
          value={Object.keys(draft.filters ?? {}).length === 0 ? null : draft.filters}
          empty={{}}
          error={wrong('filters')}
          onValid={onValid}
          onChange={(filters) => change({ filters: filters as SearchSettings['filters'] })}
        />
      </Card>
      <Card title="Index">
        <p className="muted small">
          A change here builds another index in the background; the old one serves until the new one is complete.
        </p>
        <SelectField
          label="Embedding model"
          value={models.find(({ model_id: name }) => name === draft.embedding_model)?.id ?? draft.embedding_model ?? ''}
          error={wrong('embedding_model')}
          onChange={(id) => change({ embedding_model: models.find((model) => model.id === id)?.model_id ?? id })}
          options={[
            ...(isKnown ? [] : [{ value: draft.embedding_model ?? '', label: draft.embedding_model ?? 'The default' }]),
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <div className="columns">
          <DraftNumber
            part={part}
            name="chunk_size"
            label="Length of a passage"
            hint="In tokens."
            min={50}
            max={4000}
            empty={400}
          />
          <DraftNumber
            part={part}
            name="chunk_overlap"
            label="Overlap"
            hint="Tokens that a passage repeats of the one before."
            min={0}
            max={3999}
          />
        </div>
      </Card>
    </>
  )
}
