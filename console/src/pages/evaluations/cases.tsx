import { FileUp, ListPlus, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { count } from '../../ui/format.ts'
import { Pager, SearchBox, useListAddress } from '../../ui/list.tsx'
import { Empty } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { CaseDialog } from './case-dialog.tsx'
import type { Editing, TestCase } from './draft.ts'
import { ImportCases } from './import-cases.tsx'

const onAPage = 25

interface Numbered {
  place: number
  each: TestCase
}

function matching(cases: readonly TestCase[], q: string): Numbered[] {
  const words = q.trim().toLowerCase()
  return cases
    .map((each, place) => ({ each, place }))
    .filter(
      ({ each: { input, expected_output: expected } }) =>
        words === '' || `${input}\n${expected ?? ''}`.toLowerCase().includes(words),
    )
}

/** The cases of an evaluation. They are kept here until they are saved all together. */
export function Cases({ id, editing, disabled }: { id: string; editing: Editing; disabled: boolean }) {
  const { search, page: asked, q, change: changeAddress } = useListAddress()
  const [edited, setEdited] = useState<number | null>(null)
  const { draft, change, unsaved, error } = editing
  const cases = draft.test_cases
  const found = matching(cases, q)
  const pages = Math.max(1, Math.ceil(found.length / onAPage))
  const page = Math.min(asked, pages)
  const shown = found.slice((page - 1) * onAPage, page * onAPage)
  const set = (test_cases: TestCase[]) => change({ test_cases })
  const problem = fieldErrors(error)('test_cases')
  return (
    <div className="stack">
      <div className="toolbar">
        <SearchBox label="Search cases" value={q} onChange={(text) => changeAddress({ q: text, page: undefined })} />
        <span className="muted small grow minor">
          {count(cases.length)} {cases.length === 1 ? 'case' : 'cases'}
        </span>
        {!disabled && (
          <>
            <Button
              icon={FileUp}
              disabled={unsaved.includes('test_cases')}
              title={unsaved.includes('test_cases') ? 'Save or discard your changes first' : undefined}
              onClick={() => changeAddress({ import: 'yes' })}
            >
              Import
            </Button>
            <Button icon={ListPlus} onClick={() => setEdited(cases.length)}>
              Add case
            </Button>
          </>
        )}
      </div>
      {problem && <p className="notice bad">{problem}</p>}
      {shown.length === 0 ? (
        <Empty icon={ListPlus} title="No case fits">
          Try other words.
        </Empty>
      ) : (
        <Table
          label="Cases"
          rows={shown}
          keyOf={({ place }) => String(place)}
          columns={[
            {
              title: 'Question',
              cell: ({ each, place }) => (
                <span className="case-text">
                  <span className="muted small">{place + 1}</span>
                  <span className="two-lines">{each.input}</span>
                </span>
              ),
            },
            {
              title: 'Expected',
              cell: ({ each }) =>
                each.expected_output ? (
                  <span className="two-lines">{each.expected_output}</span>
                ) : (
                  <span className="muted">–</span>
                ),
            },
            {
              title: 'Notes',
              minor: true,
              cell: ({ each }) => (
                <span className="muted small two-lines">
                  {Object.entries(each.metadata ?? {})
                    .map(([name, value]) => `${name}: ${String(value)}`)
                    .join(', ')}
                </span>
              ),
            },
            {
              title: '',
              numeric: true,
              cell: ({ place }) =>
                !disabled && (
                  <span className="row end">
                    <IconButton icon={Pencil} label={`Edit case ${place + 1}`} onClick={() => setEdited(place)} />
                    <IconButton
                      icon={Trash2}
                      label={`Remove case ${place + 1}`}
                      disabled={cases.length === 1}
                      onClick={() => set(cases.filter((_, other) => other !== place))}
                    />
                  </span>
                ),
            },
          ]}
        />
      )}
      <Pager
        pagination={{ page, limit: onAPage, total: found.length, pages }}
        onPage={(next) => changeAddress({ page: String(next) })}
      />
      {edited !== null && (
        <CaseDialog
          number={edited + 1}
          testCase={cases[edited]}
          onClose={() => setEdited(null)}
          onDone={(next) => {
            const isNew = edited === cases.length
            set(isNew ? [...cases, next] : cases.map((each, place) => (place === edited ? next : each)))
            if (isNew) changeAddress({ q: undefined, page: String(Math.ceil((cases.length + 1) / onAPage)) })
            setEdited(null)
          }}
        />
      )}
      {search.import === 'yes' && !disabled && (
        <ImportCases id={id} onClose={() => changeAddress({ import: undefined })} />
      )}
    </div>
  )
}
