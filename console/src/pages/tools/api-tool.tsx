import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged } from '../../api/save.ts'
import { Editor } from '../../parts/editor.tsx'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { useForm } from '../../parts/form.ts'
import { CheckField, NumberField, SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { toDraft } from './api-draft.ts'
import { ApprovalFields } from './approval-fields.tsx'
import { AuthFields } from './auth-fields.tsx'
import { back, ToolFrame } from './frame.tsx'
import { RequestCard } from './request-card.tsx'
import type { ApiTool } from './tool-types.ts'
import { TryApi } from './try-api.tsx'
import { TryMcp } from './try-mcp.tsx'

export default function ApiToolPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const tool = useQuery({ queryKey: ['api-tools', id], queryFn: ({ signal }) => parley.apiTools.get(id, { signal }) })
  if (tool.error) return <ErrorPanel error={tool.error} onRetry={() => void tool.refetch()} />
  if (!tool.data)
    return (
      <PageFrame title="API tool" back={back}>
        <Loading />
      </PageFrame>
    )
  const key = `${id} ${tool.data.updated_at}`
  return (
    <ToolFrame
      kind="api"
      tool={tool.data}
      remove={(which) => parley.apiTools.delete(which)}
      editor={<ApiEditor key={key} tool={tool.data} />}
      tryOut={tool.data.type === 'mcp' ? <TryMcp key={key} tool={tool.data} /> : <TryApi key={key} tool={tool.data} />}
    />
  )
}

const approvals = [
  { value: 'writing', label: 'Tools that are not marked as read-only' },
  { value: 'all', label: 'All tools' },
  { value: 'none', label: 'No tools' },
] as const

interface ServerApprovalProps {
  value: boolean | null
  onChange: (value: boolean | null) => void
}

const ServerApproval = ({ value, onChange }: ServerApprovalProps) => (
  <SelectField
    label="Require approval for"
    hint="The reply waits until someone approves or refuses the call. Each tool below can have its own setting."
    options={approvals}
    value={value === null ? 'writing' : value ? 'all' : 'none'}
    onChange={(chosen) => onChange(chosen === 'writing' ? null : chosen === 'all')}
  />
)

function ApiEditor({ tool }: { tool: ApiTool }) {
  const mayWrite = useMay()('write-configuration')
  const form = useForm({
    saved: toDraft(tool),
    invalidates: ['api-tools', 'tools'],
    run: (_, changes) => parley.apiTools.update(tool.id, changes, onlyIfUnchanged(tool)),
    toast: ({ name }) => `${name} saved`,
  })
  return (
    <Editor form={form} mayWrite={mayWrite}>
      <Card title="Details">
        <TextField
          label="Name"
          hint="Letters, digits, _ and -. The model calls the tool by this name."
          {...form.field('name')}
        />
        <TextArea
          label="Description"
          hint="Tells the model what the tool does and when to use it."
          rows={3}
          {...form.field('description')}
        />
        {tool.type === 'mcp' ? (
          <ServerApproval
            value={form.draft.requires_approval}
            onChange={(value) => form.change({ requires_approval: value })}
          />
        ) : (
          <CheckField
            label="Require approval for each call"
            hint="The reply waits until someone approves or refuses the call."
            {...form.field('requires_approval', false)}
          />
        )}
        {form.draft.requires_approval !== false && <ApprovalFields form={form} />}
        {tool.source && (
          <p className="muted small">
            Imported from {tool.source.document}: {tool.source.operation}
          </p>
        )}
      </Card>
      <RequestCard type={tool.type} form={form} />
      <Card title="Authentication">
        <AuthFields form={form.part('auth')} saved={tool.auth} />
      </Card>
      <Card title="Limits">
        <div className="columns">
          <NumberField label="Timeout (ms)" min={1} max={120_000} {...form.field('timeout_ms', 10_000)} />
          <NumberField label="Max response size (bytes)" min={1} {...form.field('max_response_bytes', 1024 * 1024)} />
        </div>
      </Card>
    </Editor>
  )
}
