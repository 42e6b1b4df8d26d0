import { useModels, useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import type { Fields } from '../../parts/form.ts'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField } from '../../ui/field.tsx'
import { pickSettings } from './search-fields.tsx'
import { SearchToolPage } from './search-tool.tsx'
import type { RagTool } from './tool-types.ts'
import { AskTool } from './try-search.tsx'

const toDraft = (tool: RagTool) => ({
  name: tool.name,
  description: tool.description,
  knowledge_source_id: tool.knowledge_source_id,
  model_id: tool.model_id,
  ...pickSettings(tool),
})

export default function RagToolPage() {
  return (
    <SearchToolPage kind="rag" resource={parley.ragTools} toDraft={toDraft} Details={SourceAndModel} TryOut={AskTool} />
  )
}

function SourceAndModel({ form }: { form: Fields<ReturnType<typeof toDraft>> }) {
  const sources = useSources().data ?? []
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  return (
    <div className="columns">
      <SelectField label="Knowledge source" {...form.field('knowledge_source_id')} options={toOptions(sources)} />
      <SelectField
        label="Answer model"
        {...form.field('model_id', null)}
        options={[{ value: '', label: 'Default' }, ...toOptions(models)]}
      />
    </div>
  )
}
