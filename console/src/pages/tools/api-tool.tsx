import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { changedFields } from '../../parts/drafts.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { CheckField, NumberField, TextArea, TextField } from '../../ui/field.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { type ApiDraft, draftOf } from './api-draft.ts'
import { ApprovalFields } from './approval-fields.tsx'
import { type Auth, AuthFields } from './auth-fields.tsx'
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
      editor={<Editor key={key} tool={tool.data} />}
      tryOut={tool.data.type === 'mcp' ? <TryMcp key={key} tool={tool.data} /> : <TryApi key={key} tool={tool.data} />}
    />
  )
}

function Editor({ tool }: { tool: ApiTool }) {
  const mayWrite = useMay()('write-configuration')
  const [draft, setDraft] = useState(() => draftOf(tool))
  const [round, setRound] = useState(0)
  const [invalid, setInvalid] = useState<string[]>([])
  const change = (next: Partial<ApiDraft>) => setDraft((now) => ({ ...now, ...next }))
  const changes = changedFields(draftOf(tool), draft)
  const save = useSave({
    invalidates: ['api-tools', 'tools'],
    run: () => parley.apiTools.update(tool.id, changes, onlyIfUnchanged(tool)),
    toast: ({ name }) => `${name} saved`,
  })
  const errorAt = fieldErrors(save.error)
  const onValid = (field: string) => (isValid: boolean) =>
    setInvalid((now) => (isValid ? now.filter((each) => each !== field) : [...new Set([...now, field])]))
  return (
    <div className="sections">
      <fieldset key={round} className="unframed sections" disabled={!mayWrite}>
        <Card title="Details">
          <TextField
            label="Name"
            hint="Letters, digits, _ and -. The model calls the tool by this name."
            value={draft.name}
            error={errorAt('name')}
            onChange={(name) => change({ name })}
          />
          <TextArea
            label="Description"
            hint="Tells the model what the tool does and when to use it."
            rows={3}
            value={draft.description}
            error={errorAt('description')}
            onChange={(description) => change({ description })}
          />
          <CheckField
            label="Require approval for each call"
            hint="The reply waits until someone allows or denies the call."
            checked={draft.requires_approval}
            onChange={(is) => change({ requires_approval: is })}
          />
          {(draft.requires_approval || tool.type === 'mcp') && (
            <ApprovalFields draft={draft} change={change} errorAt={errorAt} />
          )}
          {tool.source && (
            <p className="muted small">
              Imported from {tool.source.document}: {tool.source.operation}
            </p>
          )}
        </Card>
        <RequestCard type={tool.type} draft={draft} change={change} errorAt={errorAt} onValid={onValid} />
        <Card title="Authentication">
          <AuthFields
            value={draft.auth}
            saved={tool.auth as Auth}
            onChange={(auth) => change({ auth })}
            errorAt={errorAt}
          />
        </Card>
        <Card title="Limits">
          <div className="columns">
            <NumberField
              label="Timeout (ms)"
              min={1}
              max={120_000}
              value={draft.timeout_ms}
              error={errorAt('timeout_ms')}
              onChange={(time) => change({ timeout_ms: time ?? 10_000 })}
            />
            <NumberField
              label="Max response size (bytes)"
              min={1}
              value={draft.max_response_bytes}
              error={errorAt('max_response_bytes')}
              onChange={(size) => change({ max_response_bytes: size ?? 1024 * 1024 })}
            />
          </div>
        </Card>
      </fieldset>
      {mayWrite && (
        <SaveBar
          changed={Object.keys(changes)}
          isValid={invalid.length === 0}
          busy={save.isPending}
          onSave={() => save.mutate(undefined)}
          onDiscard={() => {
            setDraft(draftOf(tool))
            setInvalid([])
            setRound(round + 1)
          }}
        />
      )}
    </div>
  )
}
