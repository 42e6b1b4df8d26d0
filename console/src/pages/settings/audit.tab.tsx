import { ScrollText, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { Button } from '../../ui/button.tsx'
import { count, dateTime } from '../../ui/format.ts'
import { FilterSelect, useListParams } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showError } from '../../ui/toasts.tsx'
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
  'memory',
  'memory settings',
  'approval',
  'file',
  'evaluation',
  'usage threshold',
  'webhook',
  'token',
  'session',
  'user',
  'workspace',
]
const actions: Record<string, string> = {
  create: 'Created',
  update: 'Updated',
  delete: 'Deleted',
  restore: 'Restored a version of',
  cancel: 'Cancelled',
  approve: 'Approved',
  refuse: 'Refused',
  expire: 'Let expire',
  export: 'Exported',
  erase: 'Erased',
  call: 'Called',
  join: 'Wrote in',
  run: 'Ran',
  sync: 'Synced',
  'create document': 'Added documents to',
  'update document': 'Changed a document of',
  'delete document': 'Deleted a document of',
  'sync document': 'Read a document again of',
  test: 'Tested',
  refresh: 'Refreshed tools of',
  accept: 'Accepted tools of',
  redeliver: 'Redelivered an event of',
  'rotate-secret': 'Rotated the secret of',
  'sign in': 'Signed in',
  'sign out': 'Signed out',
  'sign out everywhere': 'Signed out everywhere',
}
const named = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

const isErased = (name: string) => name.startsWith('erased:')

type Verification = Awaited<ReturnType<typeof parley.audit.verify>>

const problems: Record<Verification['problems'][number]['problem'], string> = {
  changed: 'was changed',
  removed: 'and maybe more are missing',
  inserted: 'was not written by Parley',
  head_changed: 'follows a change of the stored end of the log',
}

/** Verifies the hash chain and shows the result. */
function Verify() {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Verification>()
  const verify = async () => {
    setBusy(true)
    try {
      setResult(await parley.audit.verify())
    } catch (error) {
      showError(error)
    }
    setBusy(false)
  }
  return (
    <>
      <Button icon={ShieldCheck} busy={busy} onClick={verify}>
        Verify
      </Button>
      {result && (
        <span role="status" className="row">
          <Badge tone={result.valid ? 'good' : 'bad'}>{result.valid ? 'Intact' : 'Tampered with'}</Badge>
          {result.valid
            ? `All ${count(result.entries)} entries are as they were written.`
            : result.problems
                .slice(0, 3)
                .map(({ sequence, problem }) => `Entry ${sequence} ${problems[problem]}.`)
                .join(' ')}
          {result.problem_count > 3 && ` And ${count(result.problem_count - 3)} more.`}
          {result.since !== null && ` Do not rely on entries after ${dateTime(result.since)}.`}
        </span>
      )}
    </>
  )
}

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
        <FilterSelect
          label="Action"
          name="action"
          all="All actions"
          options={Object.entries(actions).map(([value, label]) => ({ value, label }))}
        />
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
        <Verify />
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
                <strong>{isErased(name ?? id) ? 'Erased person' : (name ?? id)}</strong>
                <span className="muted small">
                  {' '}
                  {role}
                  {user && !isErased(user) && `, ${user}`}
                </span>
              </>
            ),
          },
          {
            title: 'Action',
            cell: ({ action, kind, resource_id: id }) => (
              <>
                <span>{actions[action] ?? action}</span> {kind !== 'session' && kind}{' '}
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
