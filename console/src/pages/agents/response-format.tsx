import { CheckField, SelectField, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import type { AgentDraftProps, Draft } from './draft.ts'

type Format = NonNullable<Draft['response_format']>
type JsonSchema = NonNullable<Format['json_schema']>

const example: JsonSchema = {
  name: 'reply',
  schema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
}

/** Whether replies are text, or JSON that follows a schema. */
export function ResponseFormat({
  draft,
  change,
  errorAt,
  onValid,
}: AgentDraftProps & { onValid: (is: boolean) => void }) {
  const { response_format: format } = draft
  const json = format?.type === 'json_schema' ? (format.json_schema ?? example) : null
  const changeJson = (next: Partial<JsonSchema>) =>
    change({ response_format: { type: 'json_schema', json_schema: { ...(json ?? example), ...next } } })
  const at = (field: string) => errorAt(`response_format.json_schema.${field}`)
  return (
    <>
      <SelectField
        label="Reply format"
        value={json ? 'json_schema' : 'text'}
        error={errorAt('response_format')}
        onChange={(type) => {
          onValid(true)
          if (type === 'json_schema') changeJson({})
          else change({ response_format: null })
        }}
        options={[
          { value: 'text', label: 'Text' },
          { value: 'json_schema', label: 'JSON that follows a schema' },
        ]}
      />
      {json && (
        <>
          <TextField
            label="Schema name"
            value={json.name}
            error={at('name')}
            onChange={(name) => changeJson({ name })}
          />
          <JsonField
            label="JSON schema"
            hint="Replies that do not follow it are corrected once, then fail."
            rows={10}
            value={json.schema}
            empty={{}}
            error={at('schema')}
            onValid={onValid}
            onChange={(schema) => changeJson({ schema: schema as JsonSchema['schema'] })}
          />
          <CheckField
            label="Strict"
            hint="The provider enforces the schema, if it can."
            checked={json.strict ?? false}
            onChange={(strict) => changeJson({ strict })}
          />
        </>
      )}
    </>
  )
}
