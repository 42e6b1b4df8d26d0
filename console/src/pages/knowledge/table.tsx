import type { Schemas } from '@parley/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { count } from '../../ui/format.ts'
import { Pager, SearchBox, useListParams, useRedirectToLastPage } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'

const limit = 50

/** A table of a document: its rows, with a filter and pages. */
export default function TablePage() {
  const { id, table: which } = useParams({ strict: false }) as { id: string; table: string }
  const { page, q } = useListParams()
  const table = useQuery({
    queryKey: ['knowledge-sources', id, 'tables', which, page, q],
    queryFn: ({ signal }) => parley.knowledgeSources.table(id, which, { page, limit, ...(q && { q }) }, { signal }),
    placeholderData: keepPreviousData,
  })
  const back = { to: `/knowledge/${id}?tab=tables`, label: 'Tables' }
  if (table.error) return <ErrorPanel error={table.error} onRetry={() => void table.refetch()} />
  return (
    <PageFrame title={table.data?.title ?? 'Table'} back={back} wide>
      {table.data ? <Rows source={id} table={table.data} page={page} q={q} /> : <Loading />}
    </PageFrame>
  )
}

interface RowsProps {
  source: string
  table: Schemas['KnowledgeTablePage']
  page: number
  q: string
}

function Rows({ source, table, page, q }: RowsProps) {
  const { change } = useListParams()
  const { matching_rows: total, positions, columns, rows, document_id: document } = table
  const pagination = { page, limit, total, pages: Math.ceil(total / limit) }
  const isRedirecting = useRedirectToLastPage(pagination)
  const toSearch = (row: number) => {
    const { start, end } = positions[row] ?? { start: 0, end: 0 }
    return { start: String(start), end: String(end) }
  }
  return (
    <div className="stack">
      <p className="row wrap muted small">
        <FileText aria-hidden size={15} />
        <Link to={`/knowledge/${source}/documents/${document}`}>{table.document_name}</Link>
        <span>{table.row_count === 1 ? '1 row' : `${count(table.row_count)} rows`}</span>
        <code>{table.sql_name}</code>
        <CopyButton text={table.sql_name} label="Copy the name in SQL" />
      </p>
      <div className="toolbar">
        <SearchBox label="Filter rows" value={q} onChange={(text) => change({ q: text, page: undefined })} />
      </div>
      {isRedirecting ? (
        <Loading />
      ) : (
        <DataTable
          label={table.title}
          columns={columns.map(({ name, sql_name: sqlName, type }) => ({
            name,
            note: `${sqlName} · ${type}`,
            numeric: type === 'number',
          }))}
          rows={rows}
          renderNumber={(row) => {
            const number = positions[row]?.row ?? row + 1
            return (
              <Link
                to={`/knowledge/${source}/documents/${document}`}
                search={toSearch(row) as never}
                aria-label={`Show row ${number} in the document`}
              >
                {number}
              </Link>
            )
          }}
        />
      )}
      {rows.length === 0 && !isRedirecting && <p className="muted">No matching rows. Try a different filter.</p>}
      <Pager pagination={pagination} onPage={(next) => change({ page: String(next) })} />
    </div>
  )
}
