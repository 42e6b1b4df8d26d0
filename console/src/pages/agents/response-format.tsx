import { CheckField, SelectField, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import type { AgentFields } from './draft.ts'

const example = {
  name: 'reply',
  schema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
}

/** Whether replies are text, or JSON that follows a schema. */
export function ResponseFormat({ form }: AgentFields) {
  const isJson = form.draft.response_format?.type === 'json_schema'
  const schema = form.part('response_format').part('json_schema')
  return (
    <>
      <SelectField
        label="Reply format"
        error={form.errorAt('response_format')}
        value={isJson ? 'json_schema' : 'text'}
        onChange={(type) =>
          form.change({ response_format: type === 'text' ? null : { type: 'json_schema', json_schema: example } })
        }
        options={[
          { value: 'text', label: 'Text' },
          { value: 'json_schema', label: 'JSON that follows a schema' },
        ]}
      />
      {isJson && (
        <>
          <TextField label="Schema name" {...schema.field('name')} />
          <JsonField
            label="JSON schema"
            hint="Replies that do not follow it are corrected once, then fail."
            rows={10}
            {...schema.json('schema', {})}
          />
          <CheckField
            label="Strict"
            hint="The provider enforces the schema, if it can."
            {...schema.field('strict', false)}
          />
        </>
      )}
    </>
  )
}
