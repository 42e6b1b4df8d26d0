import { Choice } from '../ui/choice.tsx'
import type { Fields } from './form.ts'
import { GroupsField, UsersField } from './person-fields.tsx'

export interface Access {
  groups?: string[]
  users?: string[]
}

/** The groups and users who may see something. */
export const AccessNames = ({ form }: { form: Fields<Access> }) => (
  <div className="columns">
    <GroupsField label="Groups" {...form.field('groups', [])} />
    <UsersField label="Users" {...form.field('users', [])} />
  </div>
)

interface FieldsProps {
  form: Fields<{ access: Access | null }>
  /** Label of the choice without groups and users. */
  everyone?: string
  /** Explains the choice `everyone`. */
  everyoneHint: string
}

/** Restricts a resource to groups and users, or opens it to everyone. */
export function AccessFields({ form, everyone = 'Everyone', everyoneHint }: FieldsProps) {
  const { access } = form.draft
  return (
    <div className="stack">
      <Choice
        label="Who may see it"
        value={access === null ? 'everyone' : 'some'}
        onChange={(choice) =>
          form.change({ access: choice === 'everyone' ? null : { groups: [], users: [], ...access } })
        }
        options={[
          { value: 'everyone', label: everyone },
          { value: 'some', label: 'Only these groups and users' },
        ]}
      />
      {access !== null && <AccessNames form={form.part('access')} />}
      <p className="muted small">
        {access === null
          ? everyoneHint
          : isEmpty(access)
            ? 'Without groups and users, only editors and higher roles see it.'
            : 'Editors and higher roles always see it.'}
      </p>
    </div>
  )
}

const isEmpty = ({ groups = [], users = [] }: Access): boolean => groups.length + users.length === 0
