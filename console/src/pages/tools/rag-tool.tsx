import { nameIn, useModels, useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import type { PartProps } from '../../parts/draft-fields.tsx'
import { SelectField } from '../../ui/field.tsx'
import type { RagTool } from './kinds.ts'
import { settingsOf } from './search-fields.tsx'
import { SearchToolPage } from './search-tool.tsx'
import { AskTool } from './try-search.tsx'

const draftOf = (tool: RagTool) => ({
  name: tool.name,
  description: tool.description,
  knowledge_source_id: tool.knowledge_source_id,
  model_id: tool.model_id,
  ...settingsOf(tool),
})

export default function RagToolPage() {
  return (
    <SearchToolPage kind="rag" resource={parley.ragTools} draftOf={draftOf} Details={SourceAndModel} TryOut={AskTool} />
  )
}

function SourceAndModel({ draft, change, wrong }: PartProps<ReturnType<typeof draftOf>>) {
  const sources = useSources().data ?? []
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  return (
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
  )
}

/** The choices, with the current one also where it is not among them. */
const withCurrent = (rows: readonly { id: string; name: string }[], current: string | null) => [
  ...rows.map(({ id, name }) => ({ value: id, label: name })),
  ...(current === null || rows.some(({ id }) => id === current)
    ? []
    : [{ value: current, label: nameIn(rows, current) }]),
]
