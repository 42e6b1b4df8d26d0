import type { Person } from '@parley/client'
import { TextField } from '../ui/field.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import type { Fields } from './form.ts'

/** A user id and groups. */
export const PersonFields = ({ form }: { form: Fields<Person> }) => (
  <>
    <TextField label="User id" hint="Empty: anyone in the groups." placeholder="anna" {...form.field('user_id', '')} />
    <TagsField label="Groups" hint="Press Enter after each name." placeholder="hr" {...form.field('groups', [])} />
  </>
)

export const personName = ({ user_id, groups = [] }: Person): string =>
  [user_id || 'someone', groups.length > 0 ? `(${groups.join(', ')})` : !user_id && 'without groups']
    .filter(Boolean)
    .join(' ')
