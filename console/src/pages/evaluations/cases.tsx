import { FileUp, ListPlus, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Pager, SearchBox, useListParams } from '../../ui/list.tsx'
import { Empty } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { CaseDialog } from './case-dialog.tsx'
import type { EvaluationForm, TestCase } from './draft.ts'
import { ImportCases } from './import-cases.tsx'

const pageSize = 25

interface Numbered {
  index: number
  each: TestCase
}

function matching(cases: readonly TestCase[], q: string): Numbered[] {
  const text = q.trim().toLowerCase()
  return cases
    .map((each, index) => ({ each, index }))
    .filter(
      ({ each: { input, expected_output: expected } }) =>
        text === '' || `${input}\n${expected ?? ''}`.toLowerCase().includes(text),
    )
}

/** The test cases of an evaluation. Changes are saved together. */
export function Cases({ id, form, disabled }: { id: string; form: EvaluationForm; disabled: boolean }) {
  const { search, page: requestedPage, q, change: changeParams } = useListParams()
  const [edited, setEdited] = useState<number | null>(null)
  const cases = form.draft.test_cases
  const isChanged = 'test_cases' in form.changes
  const found = matching(cases, q)
  const pages = Math.max(1, Math.ceil(found.length / pageSize))
  const page = Math.min(requestedPage, pages)
  const shown = found.slice((page - 1) * pageSize, page * pageSize)
  const set = (test_cases: TestCase[]) => form.change({ test_cases })
  const problem = form.errorAt('test_cases')
  return (
    <div className="stack">
      <div className="toolbar">
        <SearchBox label="Search cases" value={q} onChange={(text) => changeParams({ q: text, page: undefined })} />
        <span className="muted small grow minor">
          {count(cases.length)} {cases.length === 1 ? 'case' : 'cases'}
        </span>
        {!disabled && (
          <>
            <Button
              icon={FileUp}
              disabled={isChanged}
              title={isChanged ? 'Save or discard your changes first' : undefined}
              onClick={() => changeParams({ import: 'yes' })}
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
        <Empty icon={ListPlus} title="No matching cases">
          Try a different search.
        </Empty>
      ) : (
        <Table
          label="Cases"
          rows={shown}
          rowKey={({ index }) => String(index)}
          columns={[
            {
              title: 'Question',
              cell: ({ each, index }) => (
                <span className="case-text">
                  <span className="muted small">{index + 1}</span>
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
              title: 'Metadata',
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
              cell: ({ index }) =>
                !disabled && (
                  <span className="row end">
                    <IconButton icon={Pencil} label={`Edit case ${index + 1}`} onClick={() => setEdited(index)} />
                    <IconButton
                      icon={Trash2}
                      label={`Remove case ${index + 1}`}
                      disabled={cases.length === 1}
                      onClick={() => set(cases.filter((_, other) => other !== index))}
                    />
                  </span>
                ),
            },
          ]}
        />
      )}
      <Pager
        pagination={{ page, limit: pageSize, total: found.length, pages }}
        onPage={(next) => changeParams({ page: String(next) })}
      />
      {edited !== null && (
        <CaseDialog
          number={edited + 1}
          testCase={cases[edited]}
          onClose={() => setEdited(null)}
          onDone={(next) => {
            const isNew = edited === cases.length
            set(isNew ? [...cases, next] : cases.map((each, index) => (index === edited ? next : each)))
            if (isNew) changeParams({ q: undefined, page: String(Math.ceil((cases.length + 1) / pageSize)) })
            setEdited(null)
          }}
        />
      )}
      {search.import === 'yes' && !disabled && (
        <ImportCases id={id} onClose={() => changeParams({ import: undefined })} />
      )}
    </div>
  )
}
