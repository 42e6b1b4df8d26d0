import { useSources } from '../../api/lookups.ts'
import { notesOf } from '../../ui/distinct.ts'
import { CheckField } from '../../ui/field.tsx'

interface SourcesProps {
  value: readonly string[]
  onChange: (ids: string[]) => void
  error: string | undefined
}

/** Selects the sources to search. */
export function SourcesField({ value, onChange, error }: SourcesProps) {
  const sources = useSources().data ?? []
  const unknown = value.filter((id) => !sources.some((source) => source.id === id))
  const notes = notesOf(sources)
  return (
    <fieldset className="choices">
      <legend>Knowledge sources</legend>
      {[...sources, ...unknown.map((id) => ({ id, name: id }))].map(({ id, name }) => (
        <CheckField
          key={id}
          label={name}
          {...(notes.has(id) && { hint: notes.get(id) ?? '' })}
          checked={value.includes(id)}
          onChange={(is) => onChange(is ? [...value, id] : value.filter((other) => other !== id))}
        />
      ))}
      {error && <p className="notice bad">{error}</p>}
    </fieldset>
  )
}
