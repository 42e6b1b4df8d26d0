import { CodeBlock, json } from '../ui/code.tsx'
import { CheckField, NumberField, TextArea, TextField } from '../ui/field.tsx'
import { JsonField } from '../ui/json-field.tsx'

type Arguments = Record<string, unknown>

export const isArguments = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** The label of a field that a program has named: `customer_id` and `customerId` become "Customer ID". */
function fieldLabel(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/\b(id|url|api|ip|html|json|sql)\b/g, (word) => word.toUpperCase())
  return words === '' ? name : (words[0] ?? '').toUpperCase() + words.slice(1)
}

/** The arguments of a call in one line: "City: Oslo, Days: 3". */
export const argumentsLine = (value: unknown): string =>
  isArguments(value)
    ? Object.entries(value)
        .map(([name, argument]) => `${fieldLabel(name)}: ${typeof argument === 'string' ? argument : json(argument)}`)
        .join(', ')
        .replace(/\s+/g, ' ')
    : ''

/** The arguments of a call as labelled values. Anything but an object is shown as JSON. */
export const CallArguments = ({ value, label = 'Arguments' }: { value: unknown; label?: string }) =>
  isArguments(value) ? (
    <dl className="facts call-arguments" aria-label={label}>
      {Object.entries(value).map(([name, argument]) => (
        <div key={name} className="pair">
          <dt title={name}>{fieldLabel(name)}</dt>
          <dd>{shownArgument(argument)}</dd>
        </div>
      ))}
    </dl>
  ) : (
    <CodeBlock text={json(value)} label={label} />
  )

function shownArgument(value: unknown) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value === null || value === '') return <span className="muted">Empty</span>
  return typeof value === 'object' ? <pre>{json(value)}</pre> : String(value)
}

interface ArgumentFieldsProps {
  value: Arguments
  onChange: (value: Arguments) => void
  /** Whether the text of this argument is valid JSON. */
  onValid: (name: string, isValid: boolean) => void
}

/** The same arguments as fields of a form. */
export const ArgumentFields = ({ value, onChange, onValid }: ArgumentFieldsProps) =>
  Object.entries(value).map(([name, argument]) => (
    <ArgumentField
      key={name}
      label={fieldLabel(name)}
      value={argument}
      onChange={(next) => onChange({ ...value, [name]: next })}
      onValid={(isValid) => onValid(name, isValid)}
    />
  ))

interface ArgumentFieldProps {
  label: string
  value: unknown
  onChange: (value: unknown) => void
  onValid: (isValid: boolean) => void
}

function ArgumentField({ label, value, onChange, onValid }: ArgumentFieldProps) {
  if (typeof value === 'number') return <NumberField label={label} value={value} step="any" onChange={onChange} />
  if (typeof value === 'boolean') return <CheckField label={label} value={value} onChange={onChange} />
  if (typeof value !== 'string')
    return <JsonField label={label} value={value} rows={3} onChange={onChange} onValid={onValid} />
  const Text = value.length > 40 || value.includes('\n') ? TextArea : TextField
  return <Text label={label} value={value} onChange={onChange} />
}
