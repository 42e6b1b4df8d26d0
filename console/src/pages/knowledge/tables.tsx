import { Table2 } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { count } from '../../ui/format.ts'
import { SearchBox, useListParams } from '../../ui/list.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Source } from './source-types.ts'

/** The tables that the last sync found in the documents of a source. */
export function Tables({ source, isSyncing }: { source: Source; isSyncing: boolean }) {
  const { q, change } = useListParams()
  const tables = useList({
    resource: ['knowledge-sources', source.id, 'tables'],
    read: (query, options) => parley.knowledgeSources.tables(source.id, query, options),
    shouldPoll: () => isSyncing,
  })
  return (
    <div className="stack">
      <div className="toolbar">
        <SearchBox label="Search tables" value={q} onChange={(text) => change({ q: text, page: undefined })} />
      </div>
      <Listing
        list={tables}
        label="Tables"
        to={({ id }) => `/knowledge/${source.id}/tables/${id}`}
        empty={
          <Empty icon={Table2} title={q ? 'No matching tables' : 'No tables yet'}>
            {q ? 'Try a different search.' : 'Sheets, CSV files and tables in documents appear here after a sync.'}
          </Empty>
        }
        columns={[
          { title: 'Title', cell: ({ title }) => title },
          { title: 'Name in SQL', cell: ({ sql_name: name }) => <code>{name}</code> },
          {
            title: 'Columns',
            minor: true,
            cell: ({ columns }) => (
              <span className="muted two-lines">{columns.map(({ name }) => name).join(', ')}</span>
            ),
          },
          { title: 'Rows', numeric: true, cell: ({ row_count: rows }) => count(rows) },
        ]}
      />
    </div>
  )
}
