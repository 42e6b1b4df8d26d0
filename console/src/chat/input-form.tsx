import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ChecklistField } from '../ui/checklist-field.tsx'
import { CheckField, NumberField, SelectField, TextField } from '../ui/field.tsx'

interface FieldSchema {
  type?: string
  title?: string
  description?: string
  enum?: string[]
  enumNames?: string[]
  oneOf?: { const: string; title?: string }[]
  items?: { enum?: string[]; anyOf?: { const: string; title?: string }[] }
  format?: string
  default?: unknown
}

interface InputFormProps {
  schema: Record<string, unknown>
  /** By the names of fields. */
  errors: Record<string, string>
  busy: boolean
  onSend: (content: Record<string, unknown>) => void
  children: ReactNode
}

const inputTypes: Record<string, string> = { email: 'email', uri: 'url', date: 'date', 'date-time': 'text' }

/** A form by the schema of a tool: plain fields only. The server checks what is sent. */
export function InputForm({ schema, errors, busy, onSend, children }: InputFormProps) {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, FieldSchema>
    required?: string[]
  }
  const fields = Object.entries(properties)
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(fields.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]]))),
  )
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null))
  const isComplete = required.every((name) => properties[name]?.type === 'boolean' || name in filled)
  const send = () => {
    const unset = required.filter((name) => properties[name]?.type === 'boolean' && !(name in filled))
    onSend({ ...filled, ...Object.fromEntries(unset.map((name) => [name, false])) })
  }
  return (
    <form
      className="approval-decision"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {fields.map(([name, field]) => (
        <SchemaField
          key={name}
          label={`${field.title ?? name}${required.includes(name) ? '' : ' (optional)'}`}
          field={field}
          error={errors[name]}
          value={values[name]}
          onChange={(value) => setValues((all) => ({ ...all, [name]: value }))}
        />
      ))}
      <div className="row">
        <Button variant="primary" icon={Check} busy={busy} disabled={!isComplete} onClick={send}>
          Send
        </Button>
        {children}
      </div>
    </form>
  )
}

interface SchemaFieldProps {
  label: string
  field: FieldSchema
  error: string | undefined
  value: unknown
  onChange: (value: unknown) => void
}

function SchemaField({ label, field, error, value, onChange }: SchemaFieldProps) {
  const common = { label, hint: field.description, error, onChange }
  const titled = field.oneOf?.map(({ const: each, title }) => ({ value: each, label: title ?? each }))
  const options = titled ?? field.enum?.map((each, at) => ({ value: each, label: field.enumNames?.[at] ?? each }))
  if (options) return <SelectField {...common} value={String(value ?? '')} options={options} />
  if (field.type === 'boolean') return <CheckField {...common} value={value === true} />
  if (field.type === 'number' || field.type === 'integer')
    return <NumberField {...common} value={typeof value === 'number' ? value : null} />
  if (field.type === 'array') {
    const items = field.items?.anyOf?.map(({ const: each, title }) => ({ value: each, label: title ?? each }))
    const choices = items ?? field.items?.enum?.map((each) => ({ value: each, label: each })) ?? []
    return <ChecklistField {...common} value={Array.isArray(value) ? (value as string[]) : []} options={choices} />
  }
  return <TextField {...common} type={inputTypes[field.format ?? ''] ?? 'text'} value={String(value ?? '')} />
}
