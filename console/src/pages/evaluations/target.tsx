import { useAgents, useModels, useTools } from '../../api/lookups.ts'
import { optionsOf } from '../../ui/distinct.ts'
import { type Option, SelectField } from '../../ui/field.tsx'
import type { Evaluation } from './draft.ts'

export type TargetType = Evaluation['type']

export const targetTypes: { value: TargetType; label: string }[] = [
  { value: 'agent', label: 'Agent' },
  { value: 'rag_tool', label: 'RAG tool' },
  { value: 'retrieval_tool', label: 'Retrieval tool' },
  { value: 'model', label: 'Model' },
]

const toolKinds = { rag_tool: 'RAG', retrieval_tool: 'Retrieval' } as const

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
    return optionsOf(rows)
  }
}

export function useTargetName(): (target: { type: TargetType; target_id: string }) => string {
  const targets = useTargets()
  return ({ type, target_id: id }) => targets(type).find(({ value }) => value === id)?.label ?? id
}

interface TargetProps {
  type: TargetType
  target: string
  onChange: (next: { type: TargetType; target_id: string }) => void
  errorAt: (path: string) => string | undefined
  disabled?: boolean
}

/** Selects the target: first its type, then which one. */
export function TargetFields({ type, target, onChange, errorAt, disabled = false }: TargetProps) {
  const targets = useTargets()
  const options = targets(type)
  const isUnknown = target !== '' && !options.some(({ value }) => value === target)
  const kind = targetTypes.find(({ value }) => value === type)?.label.toLowerCase() ?? type
  return (
    <div className="columns">
      <SelectField
        label="Target type"
        value={type}
        disabled={disabled}
        error={errorAt('type')}
        onChange={(value) => {
          const next = value as TargetType
          onChange({ type: next, target_id: targets(next)[0]?.value ?? '' })
        }}
        options={targetTypes}
      />
      <SelectField
        label="Target"
        value={target}
        disabled={disabled}
        error={errorAt('target_id')}
        {...(options.length === 0 && { hint: `No ${kind} yet. Create one first.` })}
        onChange={(id) => onChange({ type, target_id: id })}
        options={[
          ...(target === '' ? [{ value: '', label: 'Choose…' }] : []),
          ...options,
          ...(isUnknown ? [{ value: target, label: target }] : []),
        ]}
      />
    </div>
  )
}
