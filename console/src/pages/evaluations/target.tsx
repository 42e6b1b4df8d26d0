import { useAgents, useModels, useTools } from '../../api/lookups.ts'
import type { Fields } from '../../parts/form.ts'
import { toOptions } from '../../ui/distinct.ts'
import { SelectField } from '../../ui/field.tsx'
import type { Option } from '../../ui/option.ts'
import type { Evaluation } from './draft.ts'

export type TargetType = Evaluation['type']

export const targetTypes: { value: TargetType; label: string }[] = [
  { value: 'agent', label: 'Agent' },
  { value: 'rag_tool', label: 'Answer tool' },
  { value: 'retrieval_tool', label: 'Search tool' },
  { value: 'model', label: 'Model' },
]

/** The names of the API, where they differ. */
const apiNames: Partial<Record<TargetType, string>> = {
  rag_tool: 'The API calls it a RAG tool.',
  retrieval_tool: 'The API calls it a retrieval tool.',
}

const toolKinds = { rag_tool: 'Answer', retrieval_tool: 'Search' } as const

/** The possible targets by type. */
export function useTargets(): (type: TargetType) => Option[] {
  const agents = useAgents().data ?? []
  const models = (useModels().data ?? []).filter(({ type }) => type === 'chat')
  const tools = useTools().data ?? []
  return (type) => {
    const rows =
      type === 'agent'
        ? agents
        : type === 'model'
          ? models
          : tools.filter(({ kind }) => kind === toolKinds[type as keyof typeof toolKinds])
    return toOptions(rows)
  }
}

export function useTargetName(): (target: { type: TargetType; target_id: string }) => string {
  const targets = useTargets()
  return ({ type, target_id: id }) => targets(type).find(({ value }) => value === id)?.label ?? id
}

/** Selects the target: first its type, then which one. */
export function TargetFields({ form }: { form: Fields<{ type: TargetType; target_id: string }> }) {
  const targets = useTargets()
  const { type } = form.draft
  const options = targets(type)
  const kind = targetTypes.find(({ value }) => value === type)?.label.toLowerCase() ?? type
  return (
    <div className="columns">
      <SelectField
        label="Target type"
        hint={apiNames[type]}
        {...form.field('type')}
        onChange={(next) => form.change({ type: next, target_id: targets(next)[0]?.value ?? '' })}
        options={targetTypes}
      />
      <SelectField
        label="Target"
        hint={options.length === 0 && `No ${kind} yet. Create one first.`}
        {...form.field('target_id')}
        options={options}
      />
    </div>
  )
}
