import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { Pager, useListAddress } from '../../ui/list.tsx'
import { Badge, type Tone } from '../../ui/page.tsx'
import { Empty, ErrorPanel, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import type { SettingsTab } from './settings.tsx'

const kinds = [
  'agent',
  'model',
  'prompt template',
  'knowledge source',
  'RAG tool',
  'retrieval tool',
  'API tool',
  'conversation',
  'evaluation',
  'usage threshold',
  'webhook',
  'token',
  'workspace',
]
const actions = ['create', 'update', 'delete', 'restore', 'complete', 'run', 'sync', 'import', 'rotate-secret']
const tones: Record<string, Tone> = { create: 'good', delete: 'bad' }

function Audit() {
  const { search, page, change } = useListAddress()
  const { kind, action, from, to } = search
  const entries = useQuery({
    queryKey: ['audit', page, kind, action, from, to],
    queryFn: ({ signal }) =>
      parley.audit.list({ page, limit: 25, kind, action, start_date: from, end_date: to }, { signal }).page(),
    placeholderData: keepPreviousData,
  })
  const isFiltered = Boolean(kind || action || from || to)
  const filter = (next: Record<string, string | undefined>) => change({ ...next, page: undefined })
  const choices = [
    { name: 'kind', label: 'Kind', all: 'Every kind', value: kind, options: kinds },
    { name: 'action', label: 'Action', all: 'Every action', value: action, options: actions },
  ]
  return (
    <div className="stack">
      <p className="muted">Who changed what, and when. The names of the fields are kept, never what was in them.</p>
      <div className="toolbar">
        {choices.map(({ name, label, all, value, options }) => (
          <select
            key={name}
            aria-label={label}
            value={value ?? ''}
            onChange={(event) => filter({ [name]: event.target.value || undefined })}
          >
            <option value="">{all}</option>
            {options.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        ))}
        <span className="dates">
          <input
            type="date"
            aria-label="From"
            value={from ?? ''}
            onChange={(event) => filter({ from: event.target.value || undefined })}
          />
          <span className="muted">–</span>
          <input
            type="date"
            aria-label="To"
            value={to ?? ''}
            onChange={(event) => filter({ to: event.target.value || undefined })}
          />
        </span>
      </div>
      {entries.error && <ErrorPanel error={entries.error} onRetry={() => void entries.refetch()} />}
      {entries.isPending && <Loading />}
      {entries.data?.data.length === 0 && (
        <Empty icon={ScrollText} title={isFiltered ? 'Nothing fits' : 'Nothing was changed yet'}>
          {isFiltered
            ? 'Choose another kind, another action or other days.'
            : 'Whoever makes, changes or deletes something is noted here.'}
        </Empty>
      )}
      {entries.data && entries.data.data.length > 0 && (
        <>
          <Table
            label="Audit"
            rows={entries.data.data}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Who',
                cell: ({ token_name: name, token_id: id, user_id: user, role }) => (
                  <>
                    <strong>{name ?? id}</strong>
                    <span className="muted small">
                      {' '}
                      {role}
                      {user && `, ${user}`}
                    </span>
                  </>
                ),
              },
              {
                title: 'Did',
                cell: ({ action: did, kind: what, resource_id: id }) => (
                  <>
                    <span className="row">
                      <Badge tone={tones[did] ?? 'plain'}>{did}</Badge>
                      {what}
                    </span>
                    {id && <code className="small">{id}</code>}
                  </>
                ),
              },
              {
                title: 'Fields',
                minor: true,
                cell: ({ fields }) => (
                  <span className="muted small">{fields.join(', ').replaceAll('_', ' ') || '–'}</span>
                ),
              },
              { title: 'Request', minor: true, cell: ({ request_id: id }) => <code className="small">{id}</code> },
              { title: 'When', numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
            ]}
          />
          <Pager pagination={entries.data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </div>
  )
}

export const tab: SettingsTab = {
  value: 'audit',
  label: 'Audit',
  order: 30,
  may: 'administer',
  Content: Audit,
}
