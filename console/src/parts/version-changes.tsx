import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useAgents, useModels, useSources, useTools } from '../api/lookups.ts'
import { parley } from '../api/parley.ts'
import { json } from '../ui/code.tsx'
import { toLabels } from '../ui/distinct.ts'
import { WordDiff } from '../ui/word-diff.tsx'

type Snapshot = Schemas['Version']['snapshot']

const unchanging = ['id', 'created_at', 'updated_at', 'version', 'warnings']
const longText = 60

/** Shows the fields that somebody changed, with names instead of ids. A first version shows the fields that are set. */
export function VersionChanges({ before, after }: { before: Snapshot | undefined; after: Snapshot }) {
  const names = useNames()
  const changed = Object.keys({ ...before, ...after }).filter(
    (field) =>
      !unchanging.includes(field) && (before ? json(before[field]) !== json(after[field]) : !isUnset(after[field])),
  )
  if (changed.length === 0) return <p className="muted">Nothing that a person sets has changed.</p>
  return (
    <dl className="changes">
      {changed.map((field) => (
        <div key={field}>
          <dt>{fieldName(field)}</dt>
          <dd>{difference(shown(before?.[field], names), shown(after[field], names))}</dd>
        </div>
      ))}
    </dl>
  )
}

function difference(before: string, after: string): ReactNode {
  if (before !== '' && after !== '' && Math.max(before.length, after.length) > longText)
    return <WordDiff before={before} after={after} />
  return (
    <p className="word-diff">
      {before !== '' && <del>{before}</del>}{' '}
      {after !== '' ? <ins>{after}</ins> : <span className="muted">not set</span>}
    </p>
  )
}

const isUnset = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || ['[]', '{}'].includes(json(value))

const fieldName = (field: string): string => {
  const words = field.replace(/_ids?$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value as a person would write it. */
function shown(value: unknown, names: Map<string, string>): string {
  if (isUnset(value)) return ''
  if (typeof value === 'string') return names.get(value) ?? value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((each) => shown(each, names)).join(', ')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, each]) => `${fieldName(name)}: ${shown(each, names) || 'not set'}`)
      .join('\n')
  return String(value)
}

/** Names of what versions refer to, by id. */
function useNames(): Map<string, string> {
  const prompts = useQuery({
    queryKey: ['prompt-templates', 'names'],
    queryFn: ({ signal }) => parley.promptTemplates.list({ limit: 100 }, { signal }).all(500),
  })
  const lists = [useAgents().data, useModels().data, useTools().data, useSources().data, prompts.data]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists themselves
  return useMemo(() => new Map(lists.flatMap((rows) => [...toLabels(rows ?? [])])), lists)
}
