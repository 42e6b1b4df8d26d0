import { ScrollText } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { FilterSelect, useListParams } from '../../ui/list.tsx'
import { Badge, type Tone } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
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

const named = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

function Audit() {
  const { search, change } = useListParams()
  const { kind: filteredKind, action: filteredAction, from, to } = search
  const entries = useList({
    resource: ['audit', filteredKind, filteredAction, from, to],
    read: ({ page, limit }, options) =>
      parley.audit.list(
        { page, limit, kind: filteredKind, action: filteredAction, start_date: from, end_date: to },
        options,
      ),
  })
  const isFiltered = Boolean(filteredKind || filteredAction || from || to)
  return (
    <div className="stack">
      <p className="muted">Who changed what and when. Field names are logged, values are not.</p>
      <div className="toolbar">
        <FilterSelect label="Type" name="kind" all="All types" options={named(kinds)} />
        <FilterSelect label="Action" name="action" all="All actions" options={named(actions)} />
        <span className="dates">
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              type="date"
              aria-label={end === 'from' ? 'From' : 'To'}
              value={search[end] ?? ''}
              onChange={(event) => change({ [end]: event.target.value || undefined, page: undefined })}
            />
          ))}
        </span>
      </div>
      <Listing
        list={entries}
        label="Audit log"
        empty={
          <Empty icon={ScrollText} title={isFiltered ? 'No results' : 'No changes yet'}>
            {isFiltered ? 'Try other filters or dates.' : 'Changes in this workspace appear here.'}
          </Empty>
        }
        columns={[
          {
            title: 'Actor',
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
            title: 'Action',
            cell: ({ action, kind, resource_id: id }) => (
              <>
                <span className="row">
                  <Badge tone={tones[action] ?? 'plain'}>{action}</Badge>
                  {kind}
                </span>
                {id && <code className="small minor">{id}</code>}
              </>
            ),
          },
          {
            title: 'Fields',
            minor: true,
            cell: ({ fields }) => <span className="muted small">{fields.join(', ').replaceAll('_', ' ') || '–'}</span>,
          },
          { title: 'Request', minor: true, cell: ({ request_id: id }) => <code className="small">{id}</code> },
          { title: 'Time', numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
        ]}
      />
    </div>
  )
}

export const tab: SettingsTab = {
  value: 'audit',
  label: 'Audit log',
  order: 30,
  may: 'administer',
  Content: Audit,
}
