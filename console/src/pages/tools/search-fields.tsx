import { useModels } from '../../api/lookups.ts'
import type { Fields } from '../../parts/form.ts'
import { toOptions } from '../../ui/distinct.ts'
import { CheckField, NumberField, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Card } from '../../ui/page.tsx'
import type { RagTool, RetrievalTool } from './tool-types.ts'

export type SearchSettings = Pick<
  RagTool | RetrievalTool,
  | 'embedding_model'
  | 'chunk_size'
  | 'chunk_overlap'
  | 'top_k'
  | 'search_mode'
  | 'score_threshold'
  | 'filters'
  | 'tables'
>

export const pickSettings = (tool: RagTool | RetrievalTool): SearchSettings => ({
  embedding_model: tool.embedding_model,
  chunk_size: tool.chunk_size,
  chunk_overlap: tool.chunk_overlap,
  top_k: tool.top_k,
  search_mode: tool.search_mode,
  score_threshold: tool.score_threshold,
  filters: tool.filters,
  tables: tool.tables,
})

/** The name and description of a search tool. */
export const ToolNameFields = ({ form }: { form: Fields<{ name: string; description: string | null }> }) => (
  <>
    <TextField label="Name" placeholder="Handbook" required {...form.field('name')} />
    <TextArea
      label="Description"
      hint="Tells the model what this tool contains and when to use it."
      rows={2}
      {...form.field('description', null)}
    />
  </>
)

/** The chunking and search settings that RAG and retrieval tools share. */
export function SearchFields({ form }: { form: Fields<SearchSettings> }) {
  const { embedding_model: embedding, filters } = form.draft
  const models = (useModels().data ?? []).filter(({ type }) => type === 'embedding')
  return (
    <>
      <Card title="Search">
        <div className="columns">
          <SelectField
            label="Search mode"
            {...form.field('search_mode')}
            options={[
              { value: 'hybrid', label: 'Hybrid' },
              { value: 'vector', label: 'Semantic' },
              { value: 'keyword', label: 'Keyword' },
            ]}
          />
          <NumberField label="Max results" hint="Passages per search." min={1} max={50} {...form.field('top_k', 5)} />
          <NumberField
            label="Minimum score"
            hint="0 to 1. Empty: no minimum."
            min={0}
            max={1}
            step={0.05}
            {...form.field('score_threshold', null)}
          />
        </div>
        <JsonField
          label="Filters"
          hint="Filter by document metadata, such as {&quot;year&quot;: {&quot;gte&quot;: 2024}}."
          rows={2}
          {...form.json('filters', {})}
          value={Object.keys(filters ?? {}).length === 0 ? null : filters}
        />
        <CheckField
          label="Query tables"
          hint="Agents can find the tables of the documents and query them with SQL."
          {...form.field('tables')}
        />
      </Card>
      <Card title="Index">
        <p className="muted small">
          Changes here rebuild the index in the background. The current index is used until the new one is ready.
        </p>
        <SelectField
          label="Embedding model"
          error={form.errorAt('embedding_model')}
          value={models.find(({ model_id: name }) => name === embedding)?.id ?? embedding}
          onChange={(id) => form.change({ embedding_model: models.find((model) => model.id === id)?.model_id ?? id })}
          options={[...(embedding ? [] : [{ value: '', label: 'Default' }]), ...toOptions(models)]}
        />
        <div className="columns">
          <NumberField label="Chunk size" hint="In tokens." min={50} max={4000} {...form.field('chunk_size', 400)} />
          <NumberField
            label="Chunk overlap"
            hint="Tokens repeated from the previous chunk."
            min={0}
            max={3999}
            {...form.field('chunk_overlap', null)}
          />
        </div>
      </Card>
    </>
  )
}
