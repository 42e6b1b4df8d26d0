import { ScrollText } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { FilterSelect, useListAddress } from '../../ui/list.tsx'
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
  const { search, change } = useListAddress()
  const { kind, action, from, to } = search
  const entries = useList({
    resource: ['audit', kind, action, from, to],
    read: ({ page, limit }, options) =>
      parley.audit.list({ page, limit, kind, action, start_date: from, end_date: to }, options),
  })
  const isFiltered = Boolean(kind || action || from || to)
  return (
    <div className="stack">
      <p className="muted">Who changed what, and when. The names of the fields are kept, never what was in them.</p>
      <div className="toolbar">
        <FilterSelect label="Kind" name="kind" all="Every kind" options={named(kinds)} />
        <FilterSelect label="Action" name="action" all="Every action" options={named(actions)} />
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
        label="Audit"
        empty={
          <Empty icon={ScrollText} title={isFiltered ? 'Nothing fits' : 'Nothing was changed yet'}>
            {isFiltered
              ? 'Choose another kind, another action or other days.'
              : 'Whoever makes, changes or deletes something is noted here.'}
          </Empty>
        }
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
          { title: 'When', numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
        ]}
      />
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
