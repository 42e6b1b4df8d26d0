import { nameById, useModels, useSources } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import type { DraftProps } from '../../parts/draft-fields.tsx'
import { type Named, optionsOf } from '../../ui/distinct.ts'
import { SelectField } from '../../ui/field.tsx'
import { settingsOf } from './search-fields.tsx'
import { SearchToolPage } from './search-tool.tsx'
import type { RagTool } from './tool-types.ts'
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

function SourceAndModel({ draft, change, errorAt }: DraftProps<ReturnType<typeof draftOf>>) {
  const sources = useSources().data ?? []
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  return (
    <div className="columns">
      <SelectField
        label="Knowledge source"
        value={draft.knowledge_source_id}
        error={errorAt('knowledge_source_id')}
        onChange={(id) => change({ knowledge_source_id: id })}
        options={withCurrent(sources, draft.knowledge_source_id)}
      />
      <SelectField
        label="Answer model"
        value={draft.model_id ?? ''}
        error={errorAt('model_id')}
        onChange={(id) => change({ model_id: id || null })}
        options={[{ value: '', label: 'Default' }, ...withCurrent(models, draft.model_id)]}
      />
    </div>
  )
}

/** The options, including the current value if it is not in the list. */
const withCurrent = (rows: readonly Named[], current: string | null) => [
  ...optionsOf(rows),
  ...(current === null || rows.some(({ id }) => id === current)
    ? []
    : [{ value: current, label: nameById(rows, current) }]),
]
