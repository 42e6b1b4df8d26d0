import type { Fields } from '../../parts/form.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Card } from '../../ui/page.tsx'
import type { ApiDraft } from './api-draft.ts'
import { methods } from './new-api-tool.tsx'
import type { ApiTool } from './tool-types.ts'

interface RequestProps {
  type: ApiTool['type']
  form: Fields<ApiDraft>
}

const orNull = (value: object | undefined) => (value && Object.keys(value).length > 0 ? value : null)

/** The URL and content of a request. An MCP server describes its own tools. */
export function RequestCard({ type, form }: RequestProps) {
  const url = <TextField label="URL" {...form.field('url')} />
  const headers = (
    <JsonField
      label="Headers"
      hint="Do not put secrets here. Use Authentication instead."
      rows={2}
      {...form.json('headers', {})}
      value={orNull(form.draft.headers)}
    />
  )
  if (type === 'mcp')
    return (
      <Card title="Server">
        {url}
        {headers}
      </Card>
    )
  return (
    <Card title="Request">
      <SelectField label="Method" {...form.field('method')} options={methods} />
      {url}
      <JsonField
        label="Parameters"
        hint="JSON Schema of the arguments the model passes."
        rows={8}
        {...form.json('parameters', { type: 'object', properties: {} })}
      />
      <JsonField
        label="Query"
        hint="Use {name} to insert an argument. Missing arguments are omitted."
        rows={2}
        {...form.json('query', {})}
        value={orNull(form.draft.query)}
      />
      {headers}
      <JsonField label="Body" hint="Empty: all arguments not used elsewhere." rows={3} {...form.json('body')} />
      <TextField
        label="Response filter"
        hint="JMESPath expression, such as current.{temperature: temp}. Empty: the whole response."
        {...form.field('response_path', null)}
      />
    </Card>
  )
}
