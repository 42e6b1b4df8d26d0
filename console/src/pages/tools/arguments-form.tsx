import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { CheckField, NumberField, SelectField, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { type Argument, argumentsOf } from './argument-shapes.ts'

type Arguments = Record<string, unknown>

interface FormProps {
  schema: Record<string, unknown>
  action: string
  busy: boolean
  error: unknown
  onCall: (args: Arguments) => void
}

/** A form generated from a JSON Schema, with a JSON editor as an alternative. */
export function ArgumentsForm({ schema, action, busy, error, onCall }: FormProps) {
  const fields = argumentsOf(schema)
  const [args, setArgs] = useState<Arguments>(() => defaultsOf(fields))
  const [asJson, setAsJson] = useState(fields.length === 0 && schema.additionalProperties === true)
  const [invalid, setInvalid] = useState<string[]>([])
  const errorAt = fieldErrors(error)
  const valid = (name: string) => (isValid: boolean) =>
    setInvalid((now) => (isValid ? now.filter((each) => each !== name) : [...new Set([...now, name])]))
  const set = (name: string, value: unknown) =>
    setArgs(({ [name]: _, ...rest }) => (value === undefined ? rest : { ...rest, [name]: value }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCall(args)
  }
  return (
    <form className="stack" onSubmit={submit} autoComplete="off">
      {asJson ? (
        <JsonField
          label="Arguments"
          value={args}
          empty={{}}
          error={errorAt('arguments')}
          onValid={valid('*')}
          onChange={(value) => setArgs(value as Arguments)}
        />
      ) : (
        fields.map((argument) => (
          <ArgumentField
            key={argument.name}
            argument={argument}
            value={args[argument.name]}
            error={errorAt(`arguments.${argument.name}`)}
            onValid={valid(argument.name)}
            onChange={(value) => set(argument.name, value)}
          />
        ))
      )}
      {!asJson && fields.length === 0 && <p className="muted">No arguments.</p>}
      <div className="row spread">
        <CheckField
          label="Edit as JSON"
          checked={asJson}
          onChange={(is) => {
            setInvalid([])
            setAsJson(is)
          }}
        />
        <Button type="submit" variant="primary" busy={busy} disabled={invalid.length > 0}>
          {action}
        </Button>
      </div>
    </form>
  )
}

const defaultsOf = (fields: Argument[]): Arguments =>
  Object.fromEntries(fields.flatMap(({ name, shape }) => (shape.default === undefined ? [] : [[name, shape.default]])))

interface ArgumentProps {
  argument: Argument
  value: unknown
  error: string | undefined
  onValid: (isValid: boolean) => void
  onChange: (value: unknown) => void
}

function ArgumentField({ argument, value, error, onValid, onChange }: ArgumentProps) {
  const { name, shape, required, field } = argument
  const common = { label: required ? `${name} (required)` : name, hint: shape.description ?? '', error }
  if (field === 'number')
    return (
      <NumberField
        {...common}
        step={shape.type === 'integer' ? 1 : 'any'}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => onChange(next ?? undefined)}
      />
    )
  if (field === 'text')
    return (
      <TextField
        {...common}
        value={typeof value === 'string' ? value : ''}
        onChange={(next) => onChange(next === '' ? undefined : next)}
      />
    )
  if (field === 'json')
    return <JsonField {...common} rows={3} value={value} empty={undefined} onValid={onValid} onChange={onChange} />
  const choices = field === 'boolean' ? [true, false] : (shape.enum ?? [])
  return (
    <SelectField
      {...common}
      value={String(choices.indexOf(value))}
      onChange={(index) => onChange(choices[Number(index)])}
      options={[
        { value: '-1', label: 'Not set' },
        ...choices.map((choice, index) => ({
          value: String(index),
          label: typeof choice === 'string' ? choice : JSON.stringify(choice),
        })),
      ]}
    />
  )
}
