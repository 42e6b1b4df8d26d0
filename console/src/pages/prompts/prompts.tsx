import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus, ScrollText } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { useMay } from '../../app/permissions.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Pager, SearchBox, useListAddress } from '../../ui/list.tsx'
import { Badge, PageFrame } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

export default function Prompts() {
  const may = useMay()
  const { search, page, q, change } = useListAddress()
  const templates = useQuery({
    queryKey: ['prompt-templates', 'list', page, q],
    queryFn: ({ signal }) => parley.promptTemplates.list({ page, limit: 25, q: q || undefined }, { signal }).page(),
    placeholderData: keepPreviousData,
  })
  const create = may('write-configuration') && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
      New template
    </Button>
  )
  return (
    <PageFrame title="Prompts" lead="Texts with variables, written once and used by many agents." actions={create}>
      <div className="toolbar">
        <SearchBox label="Search prompts" value={q} onChange={(text) => change({ q: text, page: undefined })} />
      </div>
      {templates.error && <ErrorPanel error={templates.error} onRetry={() => void templates.refetch()} />}
      {templates.isPending && <Loading />}
      {templates.data?.data.length === 0 && (
        <Empty icon={ScrollText} title={q ? 'No template is called that' : 'No templates yet'} action={!q && create}>
          {q ? (
            'Try other words.'
          ) : (
            <>
              Write <code>{'{{persona}}'}</code> where a value goes; each agent fills in its own.
            </>
          )}
        </Empty>
      )}
      {templates.data && templates.data.data.length > 0 && (
        <>
          <Table
            label="Prompt templates"
            rows={templates.data.data}
            keyOf={({ id }) => id}
            to={({ id }) => `/prompts/${id}`}
            columns={[
              {
                title: 'Name',
                cell: ({ name, description }) => (
                  <>
                    {name}
                    {description && <span className="muted two-lines">{description}</span>}
                  </>
                ),
              },
              {
                title: 'Variables',
                minor: true,
                cell: ({ variables }) => (
                  <span className="row">
                    {variables.slice(0, 5).map((name) => (
                      <Badge key={name} tone="accent">
                        {name}
                      </Badge>
                    ))}
                    {variables.length > 5 && `+${variables.length - 5}`}
                  </span>
                ),
              },
              { title: 'Version', minor: true, numeric: true, cell: ({ version }) => version },
              { title: 'Changed', minor: true, numeric: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
            ]}
          />
          <Pager pagination={templates.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
      <NewPrompt open={search.new === 'yes'} onClose={() => change({ new: undefined })} />
    </PageFrame>
  )
}

function NewPrompt({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [template, setTemplate] = useState('')
  const create = useSave({
    touches: ['prompt-templates', 'status'],
    run: () => parley.promptTemplates.create({ name, template }),
    done: ({ name: made }) => `${made} was created`,
    onDone: ({ id }) => void navigate({ to: `/prompts/${id}` }),
  })
  const wrong = fieldErrors(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined)
  }
  return (
    <Dialog open={open} onOpenChange={(is) => !is && onClose()} title="New template">
      <form className="stack" onSubmit={submit}>
        <TextField label="Name" value={name} onChange={setName} placeholder="Tutor" error={wrong('name')} required />
        <TextArea
          label="Template"
          hint="Write {{name}} where a value goes."
          mono
          rows={6}
          value={template}
          onChange={setTemplate}
          placeholder="Answer as {{persona}}, in {{language}}."
          error={wrong('template')}
        />
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={create.isPending}
            disabled={name.trim() === '' || template.trim() === ''}
          >
            Create template
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
