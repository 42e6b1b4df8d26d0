import { Choice } from '../ui/choice.tsx'
import { TagsField } from '../ui/field.tsx'

export interface Access {
  groups?: string[]
  users?: string[]
}

interface NamesProps {
  value: Access
  onChange: (value: Required<Access>) => void
  errorAt: (path: string) => string | undefined
  /** The field in the errors of the server. */
  field?: string
}

/** The groups and users who may see something. */
export function AccessNames({ value, onChange, errorAt, field = 'access' }: NamesProps) {
  const { groups = [], users = [] } = value
  return (
    <div className="columns">
      <TagsField
        label="Groups"
        hint="Press Enter after each name."
        placeholder="hr"
        value={groups}
        error={errorAt(`${field}.groups`)}
        onChange={(names) => onChange({ groups: names, users })}
      />
      <TagsField
        label="Users"
        hint="Their user ids."
        placeholder="anna"
        value={users}
        error={errorAt(`${field}.users`)}
        onChange={(names) => onChange({ groups, users: names })}
      />
    </div>
  )
}

interface FieldsProps extends Omit<NamesProps, 'value' | 'onChange'> {
  value: Access | null
  onChange: (value: Required<Access> | null) => void
  /** Label of the choice without groups and users. */
  everyone?: string
  /** Explains the choice `everyone`. */
  everyoneHint: string
}

/** Restricts a resource to groups and users, or opens it to everyone. */
export function AccessFields({ value, onChange, everyone = 'Everyone', everyoneHint, ...rest }: FieldsProps) {
  return (
    <div className="stack">
      <Choice
        label="Who may see it"
        value={value === null ? 'everyone' : 'some'}
        onChange={(choice) => onChange(choice === 'everyone' ? null : { groups: [], users: [], ...value })}
        options={[
          { value: 'everyone', label: everyone },
          { value: 'some', label: 'Only these groups and users' },
        ]}
      />
      {value !== null && <AccessNames value={value} onChange={onChange} {...rest} />}
      <p className="muted small">
        {value === null
          ? everyoneHint
          : isEmpty(value)
            ? 'Without groups and users, only editors and higher roles see it.'
            : 'Editors and higher roles always see it.'}
      </p>
    </div>
  )
}

const isEmpty = ({ groups = [], users = [] }: Access): boolean => groups.length + users.length === 0
