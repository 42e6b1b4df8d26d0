import type { Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { ScrollText, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { usePersonName, useUserNames } from '../../api/people.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { count, dateTime } from '../../ui/format.ts'
import { FilterInput, FilterSelect, MoreFilters, useListParams } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showError } from '../../ui/toasts.tsx'
import { actions, findPage, kindLabel, kinds } from './audit-words.ts'
import type { SettingsTab } from './settings.tsx'

const options = (values: Record<string, string>, toLabel: (value: string) => string) =>
  Object.keys(values).map((value) => ({ value, label: toLabel(value) }))

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

type Entry = Schemas['AuditEntry']

/** The action of an entry, and the resource that it changed. */
function Change({ entry: { action, kind, resource_id: id, resource_name: resource } }: { entry: Entry }) {
  const names = useUserNames()
  const name = resource ?? names.get(id ?? '') ?? null
  const page = id === null || action === 'delete' ? undefined : findPage(id)
  const what = kind === 'session' ? '' : (kinds[kind] ?? kind)
  const linked = page !== undefined && (name !== null || !hasName(id)) ? page : null
  return (
    <>
      {actions[action] ?? action} {linked !== null && name === null ? <Link to={linked}>{what}</Link> : what}{' '}
      {name !== null && (linked === null ? <strong>{name}</strong> : <Link to={linked}>{name}</Link>)}
    </>
  )
}

/** Conversations and webhooks have pages, but no names. */
const hasName = (id: string | null): boolean => !/^(cnv|whk)_/.test(id ?? '')

function Audit() {
  const { search } = useListParams()
  const personName = usePersonName()
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
        <FilterSelect label="Type" name="kind" all="All types" options={options(kinds, kindLabel)} />
        <MoreFilters names={['action', 'from', 'to']}>
          <FilterSelect
            label="Action"
            name="action"
            all="All actions"
            options={options(actions, (action) => actions[action] ?? action)}
          />
          <FilterInput label="From" name="from" type="date" />
          <FilterInput label="To" name="to" type="date" />
        </MoreFilters>
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
                  {user && !isErased(user) && `, ${personName(user)}`}
                </span>
              </>
            ),
          },
          { title: 'Action', cell: (entry) => <Change entry={entry} /> },
          {
            title: 'Fields',
            minor: true,
            cell: ({ fields }) => <span className="muted small">{fields.join(', ').replaceAll('_', ' ') || '–'}</span>,
          },
          {
            title: 'Time',
            numeric: true,
            cell: ({ created_at: at, request_id: id }) => (
              <span className="row nowrap">
                <Ago at={at} />
                <CopyButton text={id} label="Copy the request ID" />
              </span>
            ),
          },
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
