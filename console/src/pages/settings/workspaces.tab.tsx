import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMe } from '../../api/permissions.ts'
import { queries } from '../../api/queries.ts'
import { useSave } from '../../api/save.ts'
import { switchWorkspace } from '../../api/session.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { useForm } from '../../parts/form.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/field.tsx'
import { Badge } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import type { SettingsTab } from './settings.tsx'

function Workspaces() {
  const me = useMe()
  const [creating, setCreating] = useState(false)
  const workspaces = useQuery({
    queryKey: ['workspaces', 'list'],
    queryFn: ({ signal }) => parley.workspaces.list({ limit: 100, order: 'asc' }, { signal }).all(500),
  })
  const remove = useSave({
    invalidates: ['workspaces'],
    run: (id: string) => parley.workspaces.delete(id),
    toast: 'Workspace deleted',
  })
  const open = (id: string) => {
    switchWorkspace(id)
    queries.clear()
  }
  return (
    <div className="stack">
      <div className="row spread">
        <p className="muted">Workspaces are isolated. Agents, models, tokens and usage are not shared between them.</p>
        <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
          New workspace
        </Button>
      </div>
      {workspaces.error && <ErrorPanel error={workspaces.error} onRetry={() => void workspaces.refetch()} />}
      {workspaces.isPending && <Loading />}
      {workspaces.data && (
        <Table
          label="Workspaces"
          rows={workspaces.data}
          rowKey={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: ({ id, name, description }) => (
                <>
                  <span className="row">
                    <strong>{name}</strong>
                    {id === me.data?.workspace.id && <Badge tone="accent">current</Badge>}
                  </span>
                  {description && <span className="muted small">{description}</span>}
                </>
              ),
            },
            { title: 'Created', minor: true, cell: ({ created_at: at }) => <Ago at={at} /> },
            {
              title: '',
              numeric: true,
              cell: ({ id, name }) =>
                id !== me.data?.workspace.id && (
                  <span className="row end">
                    <Button small onClick={() => open(id)} aria-label={`Open ${name}`}>
                      Open
                    </Button>
                    <Confirm
                      trigger={<IconButton icon={Trash2} label={`Delete ${name}`} />}
                      title={`Delete the workspace ${name}?`}
                      text="Everything in it is deleted: agents, conversations, models and tokens. This cannot be undone."
                      action="Delete workspace"
                      onConfirm={() => remove.mutateAsync(id).catch(() => {})}
                    />
                  </span>
                ),
            },
          ]}
        />
      )}
      {creating && <NewWorkspace onClose={() => setCreating(false)} />}
    </div>
  )
}

function NewWorkspace({ onClose }: { onClose: () => void }) {
  const form = useForm({
    saved: { name: '', description: null as string | null },
    invalidates: ['workspaces'],
    run: (draft) => parley.workspaces.create(draft),
    toast: ({ name }) => `${name} created`,
    onDone: onClose,
  })
  return (
    <FormDialog
      title="New workspace"
      form={form}
      action="Create workspace"
      isComplete={form.draft.name.trim() !== ''}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Acme" {...form.field('name')} />
      <TextField label="Description" {...form.field('description', null)} />
    </FormDialog>
  )
}

export const tab: SettingsTab = {
  value: 'workspaces',
  label: 'Workspaces',
  order: 20,
  may: 'manage-workspaces',
  Content: Workspaces,
}
