import { SelectField, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Card } from '../../ui/page.tsx'
import type { ApiDraft } from './api-draft.ts'
import type { ApiTool } from './kinds.ts'
import { methods } from './new-api-tool.tsx'

interface RequestProps {
  type: ApiTool['type']
  draft: ApiDraft
  change: (next: Partial<ApiDraft>) => void
  wrong: (path: string) => string | undefined
  onValid: (field: string) => (isValid: boolean) => void
}

const orNull = (value: object | undefined) => (value && Object.keys(value).length > 0 ? value : null)

/** Where a call goes and what it carries. An MCP server describes its tools itself. */
export function RequestCard({ type, draft, change, wrong, onValid }: RequestProps) {
  const address = (
    <TextField label="Address" value={draft.url} error={wrong('url')} onChange={(url) => change({ url })} />
  )
  const headers = (
    <JsonField
      label="Headers"
      hint="Not a place for secrets: those belong into the authentication."
      rows={2}
      value={orNull(draft.headers)}
      empty={{}}
      error={wrong('headers')}
      onValid={onValid('headers')}
      onChange={(value) => change({ headers: value as ApiDraft['headers'] })}
    />
  )
  if (type === 'mcp')
    return (
      <Card title="Server">
        {address}
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
      {address}
      <JsonField
        label="Parameters"
        hint="JSON Schema of the arguments that the model gives."
        rows={8}
        value={draft.parameters}
        empty={{ type: 'object', properties: {} }}
        error={wrong('parameters')}
        onValid={onValid('parameters')}
        onChange={(value) => change({ parameters: value as ApiDraft['parameters'] })}
      />
      <JsonField
        label="Query"
        hint="{name} stands for an argument. What is missing is left out."
        rows={2}
        value={orNull(draft.query)}
        empty={{}}
        error={wrong('query')}
        onValid={onValid('query')}
        onChange={(value) => change({ query: value as ApiDraft['query'] })}
      />
      {headers}
      <JsonField
        label="Body"
        hint="Empty: the arguments that are used nowhere else."
        rows={3}
        value={draft.body}
        error={wrong('body')}
        onValid={onValid('body')}
        onChange={(value) => change({ body: value as never })}
      />
      <TextField
        label="Part of the answer to keep"
        hint="A JMESPath expression, such as current.{temperature: temp}. Empty for all of it."
        value={draft.response_path ?? ''}
        error={wrong('response_path')}
        onChange={(path) => change({ response_path: path || null })}
      />
    </Card>
  )
}
