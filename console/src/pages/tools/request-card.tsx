import { SelectField, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Card } from '../../ui/page.tsx'
import type { ApiDraft } from './api-draft.ts'
import { methods } from './new-api-tool.tsx'
import type { ApiTool } from './tool-types.ts'

interface RequestProps {
  type: ApiTool['type']
  draft: ApiDraft
  change: (next: Partial<ApiDraft>) => void
  errorAt: (path: string) => string | undefined
  onValid: (field: string) => (isValid: boolean) => void
}

const orNull = (value: object | undefined) => (value && Object.keys(value).length > 0 ? value : null)

/** The URL and content of a request. An MCP server describes its own tools. */
export function RequestCard({ type, draft, change, errorAt, onValid }: RequestProps) {
  const url = (
    <TextField label="URL" value={draft.url} error={errorAt('url')} onChange={(next) => change({ url: next })} />
  )
  const headers = (
    <JsonField
      label="Headers"
      hint="Do not put secrets here. Use Authentication instead."
      rows={2}
      value={orNull(draft.headers)}
      empty={{}}
      error={errorAt('headers')}
      onValid={onValid('headers')}
      onChange={(value) => change({ headers: value as ApiDraft['headers'] })}
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
      <SelectField
        label="Method"
        value={draft.method}
        onChange={(method) => change({ method: method as ApiDraft['method'] })}
        options={methods}
      />
      {url}
      <JsonField
        label="Parameters"
        hint="JSON Schema of the arguments the model passes."
        rows={8}
        value={draft.parameters}
        empty={{ type: 'object', properties: {} }}
        error={errorAt('parameters')}
        onValid={onValid('parameters')}
        onChange={(value) => change({ parameters: value as ApiDraft['parameters'] })}
      />
      <JsonField
        label="Query"
        hint="Use {name} to insert an argument. Missing arguments are omitted."
        rows={2}
        value={orNull(draft.query)}
        empty={{}}
        error={errorAt('query')}
        onValid={onValid('query')}
        onChange={(value) => change({ query: value as ApiDraft['query'] })}
      />
      {headers}
      <JsonField
        label="Body"
        hint="Empty: all arguments not used elsewhere."
        rows={3}
        value={draft.body}
        error={errorAt('body')}
        onValid={onValid('body')}
        onChange={(value) => change({ body: value as never })}
      />
      <TextField
        label="Response filter"
        hint="JMESPath expression, such as current.{temperature: temp}. Empty: the whole response."
        value={draft.response_path ?? ''}
        error={errorAt('response_path')}
        onChange={(path) => change({ response_path: path || null })}
      />
    </Card>
  )
}
