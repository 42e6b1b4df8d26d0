import type { Schemas } from '@parley/client'
import { type FormEvent, useState } from 'react'
import { type Fields, useForm } from '../../parts/form.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField, NumberField, SelectField, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { type Argument, listArguments } from './argument-shapes.ts'
import { CallResult } from './call-result.tsx'

type Arguments = Record<string, unknown>

interface FormProps {
  schema: Record<string, unknown>
  call: (args: Arguments) => Promise<Schemas['ApiToolTest']>
}

/** Calls a tool and shows the result. The form is generated from a JSON Schema, with a JSON editor as an alternative. */
export function ArgumentsForm({ schema, call }: FormProps) {
  const fields = listArguments(schema)
  const [asJson, setAsJson] = useState(fields.length === 0 && schema.additionalProperties === true)
  const form = useForm({
    saved: { arguments: collectDefaults(fields) },
    invalidates: [],
    run: (draft) => call(draft.arguments),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <>
      <form className="stack" onSubmit={submit} autoComplete="off">
        {asJson ? (
          <JsonField label="Arguments" {...form.json('arguments', {})} />
        ) : (
          fields.map((argument) => (
            <ArgumentField key={argument.name} argument={argument} form={form.part('arguments')} />
          ))
        )}
        {!asJson && fields.length === 0 && <p className="muted">No arguments.</p>}
        <div className="row spread">
          <CheckField label="Edit as JSON" value={asJson} onChange={setAsJson} />
          <Button type="submit" variant="primary" busy={form.save.isPending} disabled={!form.isValid}>
            Call
          </Button>
        </div>
      </form>
      {form.save.data && <CallResult result={form.save.data} />}
    </>
  )
}

const collectDefaults = (fields: Argument[]): Arguments =>
  Object.fromEntries(fields.flatMap(({ name, shape }) => (shape.default === undefined ? [] : [[name, shape.default]])))

function ArgumentField({ argument, form }: { argument: Argument; form: Fields<Arguments> }) {
  const { name, shape, required, field } = argument
  const label = required ? `${name} (required)` : name
  const { value, ...bound } = form.field(name, undefined)
  const common = { label, hint: shape.description ?? '', ...bound }
  if (field === 'number')
    return (
      <NumberField
        {...common}
        step={shape.type === 'integer' ? 1 : 'any'}
        value={typeof value === 'number' ? value : null}
      />
    )
  if (field === 'text') return <TextField {...common} value={typeof value === 'string' ? value : ''} />
  if (field === 'json') return <JsonField label={label} hint={shape.description ?? ''} rows={3} {...form.json(name)} />
  const choices = field === 'boolean' ? [true, false] : (shape.enum ?? [])
  return (
    <SelectField
      {...common}
      value={String(choices.indexOf(value))}
      onChange={(index) => form.change({ [name]: choices[Number(index)] })}
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
