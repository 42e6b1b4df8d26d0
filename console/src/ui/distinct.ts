import { dateTime } from './format.ts'

/** A resource whose name may not be unique, with the fields that distinguish it. */
export interface Named {
  id: string
  name: string
  provider?: string | undefined
  model_id?: string | null | undefined
  endpoint?: string | null | undefined
  api_key_hint?: string | null | undefined
  kind?: string | undefined
  /** The beginning of an access token. */
  prefix?: string | undefined
  description?: string | null | undefined
  created_at?: string | undefined
}

const maxDescription = 60

const clipped = (text: string): string =>
  text.length <= maxDescription ? text : `${text.slice(0, maxDescription - 1).trimEnd()}…`

/** Facts that distinguish resources of the same name, the most helpful first. */
const facts: ((row: Named) => string | null | undefined)[] = [
  ({ provider, model_id }) => provider && `${provider}, ${model_id}`,
  ({ endpoint }) => endpoint && new URL(endpoint).host,
  ({ api_key_hint: hint }) => hint && `key ending in ${hint}`,
  ({ kind }) => kind,
  ({ prefix }) => prefix && `${prefix}…`,
  ({ description }) => description && clipped(description),
  ({ created_at: at }) => at && `created ${dateTime(at)}`,
  ({ id }) => id,
]

/** For each resource with a repeated name, the fewest facts that distinguish it. The id is the last resort. */
export function distinguish(rows: readonly Named[]): Map<string, string> {
  const notes = new Map<string, string>()
  for (const { name } of rows) {
    const same = rows.filter((row) => row.name === name)
    if (same.length < 2 || notes.has(same[0]?.id ?? '')) continue
    for (const fact of facts) {
      if (areDistinct(same.map(({ id }) => notes.get(id) ?? ''))) break
      const values = same.map((row) => fact(row) || '')
      if (new Set(values).size === 1) continue
      for (const [at, { id }] of same.entries()) {
        notes.set(id, [notes.get(id), values[at]].filter(Boolean).join(', '))
      }
    }
  }
  return notes
}

const areDistinct = (values: string[]): boolean => new Set(values).size === values.length

/** Names by id. Repeated names get distinguishing facts. */
export function toLabels(rows: readonly Named[]): Map<string, string> {
  const notes = distinguish(rows)
  return new Map(
    rows.map(({ id, name }) => {
      const note = notes.get(id)
      return [id, note ? `${name} (${note})` : name]
    }),
  )
}

export const toOptions = (rows: readonly Named[]): { value: string; label: string }[] =>
  [...toLabels(rows)].map(([value, label]) => ({ value, label }))
