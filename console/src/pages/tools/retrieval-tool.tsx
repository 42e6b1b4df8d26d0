import { useModels } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import type { Fields } from '../../parts/form.ts'
import { toOptions } from '../../ui/distinct.ts'
import { NumberField, SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { pickSettings } from './search-fields.tsx'
import { SearchToolPage } from './search-tool.tsx'
import { SourcesField } from './sources-field.tsx'
import type { RetrievalTool } from './tool-types.ts'
import { SearchWithTool } from './try-search.tsx'
import { QueryTables } from './try-sql.tsx'

const toDraft = (tool: RetrievalTool) => ({
  name: tool.name,
  description: tool.description,
  knowledge_source_ids: tool.knowledge_source_ids,
  weights: tool.weights,
  rerank: tool.rerank,
  ...pickSettings(tool),
})
interface DraftProps {
  form: Fields<ReturnType<typeof toDraft>>
}

export default function RetrievalToolPage() {
  return (
    <SearchToolPage
      kind="retrieval"
      resource={parley.retrievalTools}
      toDraft={toDraft}
      Details={Sources}
      More={Ranking}
      TryOut={TryOut}
    />
  )
}

const TryOut = ({ tool }: { tool: RetrievalTool }) => (
  <div className="stack">
    <SearchWithTool tool={tool} />
    {tool.tables && <QueryTables tool={tool} />}
  </div>
)

const Sources = ({ form }: DraftProps) => <SourcesField {...form.field('knowledge_source_ids')} />

function Ranking({ form }: DraftProps) {
  const rerankers = (useModels().data ?? []).filter(({ type }) => type === 'rerank')
  const { search_mode: mode, weights } = form.draft
  return (
    <Card title="Ranking">
      <SelectField
        label="Rerank"
        {...form.field('rerank')}
        options={[
          { value: 'none', label: 'None' },
          { value: 'mmr', label: 'MMR (diverse passages)' },
          ...toOptions(rerankers),
        ]}
      />
      {mode === 'hybrid' && (
        <>
          <SelectField
            label="Weights"
            value={weights ? 'custom' : ''}
            onChange={(choice) => form.change({ weights: choice ? { vector: 1, keyword: 1 } : null })}
            options={[
              { value: '', label: 'Default' },
              { value: 'custom', label: 'Custom' },
            ]}
          />
          {weights && (
            <div className="columns">
              <NumberField label="Semantic" min={0} step="any" {...form.part('weights').field('vector', 0)} />
              <NumberField label="Keyword" min={0} step="any" {...form.part('weights').field('keyword', 0)} />
            </div>
          )}
        </>
      )}
    </Card>
  )
}
