import type { Person } from '@parley/client'
import { TagsField, TextField } from '../ui/field.tsx'

/** A user id and groups. */
export const PersonFields = ({ person, onChange }: { person: Person; onChange: (person: Person) => void }) => (
  <>
    <TextField
      label="User id"
      hint="Empty: anyone in the groups."
      placeholder="anna"
      value={person.user_id ?? ''}
      onChange={(id) => onChange({ ...person, user_id: id })}
    />
    <TagsField
      label="Groups"
      hint="Press Enter after each name."
      placeholder="hr"
      value={person.groups ?? []}
      onChange={(groups) => onChange({ ...person, groups })}
    />
  </>
)

export const personName = ({ user_id, groups = [] }: Person): string =>
  [user_id || 'someone', groups.length > 0 ? `(${groups.join(', ')})` : !user_id && 'without groups']
    .filter(Boolean)
    .join(' ')
