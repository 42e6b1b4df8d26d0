import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Form } from '../parts/form.ts'
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

export interface InputSchema {
  properties?: Record<string, FieldSchema>
  required?: string[]
}

type Content = Record<string, unknown>

interface InputFormProps {
  schema: InputSchema
  form: Form<{ content: Content }>
  busy: boolean
  children: ReactNode
}

const inputTypes: Record<string, string> = { email: 'email', uri: 'url', date: 'date', 'date-time': 'text' }

export const defaultContent = ({ properties = {} }: InputSchema): Content =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  )

/** The content without empty fields. A required switch that nobody has touched is off. */
export function filledContent({ properties = {}, required = [] }: InputSchema, content: Content): Content {
  const switches = required.filter((name) => properties[name]?.type === 'boolean')
  const filled = Object.entries(content).filter(([, value]) => value !== '' && value !== null)
  return Object.fromEntries([...switches.map((name) => [name, false]), ...filled])
}

/** A form by the schema of a tool: plain fields only. The server checks what is sent. */
export function InputForm({ schema, form, busy, children }: InputFormProps) {
  const { properties = {}, required = [] } = schema
  const content = form.part('content')
  const filled = filledContent(schema, content.draft)
  const isComplete = required.every((name) => name in filled)
  return (
    <form
      className="approval-decision"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      {Object.entries(properties).map(([name, field]) => (
        <SchemaField
          key={name}
          label={`${field.title ?? name}${required.includes(name) ? '' : ' (optional)'}`}
          field={field}
          error={content.errorAt(name)}
          value={content.draft[name]}
          onChange={(value) => content.change({ [name]: value })}
        />
      ))}
      <div className="row">
        <Button variant="primary" icon={Check} busy={busy} disabled={!isComplete} onClick={form.submit}>
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
