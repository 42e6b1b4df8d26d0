import type { Person } from '@parley/client'
import { usePeople } from '../api/people.ts'
import { ComboField } from '../ui/field.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import type { Fields } from './form.ts'

type NamesProps = Omit<Parameters<typeof TagsField>[0], 'options'>

/** Groups: those that people have, and new ones. */
export const GroupsField = (props: NamesProps) => (
  <TagsField placeholder="hr" hint="Choose one, or enter a new name." {...props} options={usePeople().groups} />
)

export const UsersField = (props: NamesProps) => (
  <TagsField
    placeholder="anna"
    hint="Choose people, or enter their user ids."
    {...props}
    options={usePeople().people}
  />
)

/** A user id and groups. */
export const PersonFields = ({ form }: { form: Fields<Person> }) => (
  <>
    <ComboField
      label="User id"
      hint="Empty: anyone in the groups."
      placeholder="anna"
      options={usePeople().people.map(({ value }) => value)}
      {...form.field('user_id', '')}
    />
    <GroupsField label="Groups" {...form.field('groups', [])} />
  </>
)

export const personName = ({ user_id, groups = [] }: Person): string =>
  [user_id || 'someone', groups.length > 0 ? `(${groups.join(', ')})` : !user_id && 'without groups']
    .filter(Boolean)
    .join(' ')
