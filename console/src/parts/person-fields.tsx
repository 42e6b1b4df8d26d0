import type { Person } from '@parley/client'
import { useGroups, usePeople } from '../api/people.ts'
import { ComboField } from '../ui/combo-field.tsx'
import { FilterInput } from '../ui/list.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import type { Fields } from './form.ts'

type NamesProps = Omit<Parameters<typeof TagsField>[0], 'options' | 'creates'>

/** Groups: those that exist, and new ones that are created here. */
export const GroupsField = (props: NamesProps) => (
  <TagsField placeholder="Choose or create…" {...props} options={useGroups()} creates="group" />
)

export const UsersField = (props: NamesProps) => (
  <TagsField
    placeholder="Choose people…"
    hint="Choose people, or enter their user IDs."
    {...props}
    options={usePeople()}
  />
)

/** One person: picked by name, or a user ID that nobody has used yet. */
export const PersonField = (props: Omit<Parameters<typeof ComboField>[0], 'options'>) => (
  <ComboField placeholder="Name or user ID" {...props} options={usePeople()} />
)

/** Filters a list by one person. */
export const PersonFilter = ({ label, name }: { label: string; name: string }) => (
  <FilterInput label={label} name={name} type="text" options={usePeople()} />
)

/** A person and groups. */
export const PersonFields = ({ form }: { form: Fields<Person> }) => (
  <>
    <PersonField label="Person" hint="Empty: anyone in the groups." {...form.field('user_id', '')} />
    <GroupsField label="Groups" {...form.field('groups', [])} />
  </>
)

/** A person with groups, in words. */
export const personText = ({ user_id, groups = [] }: Person, findName: (id: string) => string): string =>
  [user_id ? findName(user_id) : 'someone', groups.length > 0 ? `(${groups.join(', ')})` : !user_id && 'without groups']
    .filter(Boolean)
    .join(' ')
