import { useSources } from '../../api/lookups.ts'
import { ChecklistField } from '../../ui/checklist-field.tsx'
import { distinguish } from '../../ui/distinct.ts'

interface SourcesProps {
  value: readonly string[]
  onChange: (ids: string[]) => void
  error: string | undefined
}

/** Selects the sources to search. */
export function SourcesField(props: SourcesProps) {
  const sources = useSources().data ?? []
  const notes = distinguish(sources)
  return (
    <ChecklistField
      label="Knowledge sources"
      {...props}
      options={sources.map(({ id, name }) => ({ value: id, label: name, hint: notes.get(id) }))}
    />
  )
}
