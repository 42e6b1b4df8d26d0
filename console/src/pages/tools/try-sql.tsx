import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { NamedRows } from '../../parts/data-table.tsx'
import { passageUrl } from '../../parts/passages.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { count, milliseconds } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import type { RetrievalTool } from './tool-types.ts'

type Found = Schemas['TableQueryResult']

const maxTables = 100

/** Runs SQL on the tables of a retrieval tool, as agents do. */
export function QueryTables({ tool }: { tool: RetrievalTool }) {
  const [sql, setSql] = useState('')
  const tables = useQuery({
    queryKey: ['knowledge-sources', 'tables', tool.knowledge_source_ids],
    queryFn: async ({ signal }) => {
      const read = (id: string) => parley.knowledgeSources.tables(id, { limit: maxTables }, { signal }).page()
      return (await Promise.all(tool.knowledge_source_ids.map(read))).flatMap(({ data }) => data)
    },
  })
  const query = useSave({
    invalidates: [],
    run: (text: string) => parley.retrievalTools.queryTables(tool.id, { sql: text }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    query.mutate(sql)
  }
  const options = (tables.data ?? []).map(({ title, sql_name: name }) => ({ value: name, label: `${title} (${name})` }))
  const chosen = options.find(({ value }) => sql.includes(value))?.value ?? ''
  return (
    <Card title="Try SQL">
      {tables.data?.length === 0 && <p className="muted">The documents have no tables.</p>}
      <form className="stack" onSubmit={submit}>
        <SelectField
          label="Table"
          value={chosen}
          onChange={(name) => name && setSql(`SELECT * FROM ${name} LIMIT 10`)}
          options={[{ value: '', label: 'Choose a table' }, ...options]}
        />
        <TextArea label="SQL" hint="One SELECT statement." rows={4} value={sql} onChange={setSql} />
        <Button type="submit" variant="primary" icon={Play} busy={query.isPending} disabled={sql.trim() === ''}>
          Run
        </Button>
      </form>
      {query.data && <Result tool={tool.id} found={query.data} />}
    </Card>
  )
}

function Result({ tool, found }: { tool: string; found: Found }) {
  const { columns, rows, truncated, citations, took_ms: took } = found
  const amount = rows.length === 1 ? '1 row' : `${truncated ? 'The first ' : ''}${count(rows.length)} rows`
  return (
    <>
      <p className="muted small" role="status">
        {amount} in {milliseconds(Math.max(1, Math.round(took)))}
      </p>
      {citations.map(({ table_id: table, rows: cited, document_id: document, start, end }) => (
        <p key={table} className="small">
          <Link to={passageUrl(tool, document, start, end)}>{citedRows(cited)}</Link>
        </p>
      ))}
      {rows.length > 0 && <NamedRows label="Result" names={columns} rows={rows} />}
    </>
  )
}

const maxNumbers = 8

const citedRows = (rows: readonly number[]): string => {
  if (rows.length === 1) return `From row ${rows[0]}`
  const shown = rows.slice(0, maxNumbers).join(', ')
  return `From ${count(rows.length)} rows: ${shown}${rows.length > maxNumbers ? ', …' : ''}`
}
