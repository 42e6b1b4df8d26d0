import { FileText } from 'lucide-react'
import { NamedRows } from '../parts/data-table.tsx'
import { HeadingPath, PassageText } from '../parts/passages.tsx'
import { TextWithTables } from '../parts/text-with-tables.tsx'
import { CodeBlock, prettyJson } from '../ui/code.tsx'
import { count } from '../ui/format.ts'
import { Badge } from '../ui/page.tsx'

/** A passage as a search tool gives it to a model. */
interface Passage {
  index: number
  content: string
  metadata: { source: string; page: number; headings?: string[] }
}

type Row = (string | number | null)[]

interface Table {
  table_id: string
  title: string
  document: string
  row_count: number
  columns: { name: string }[]
  first_rows: Row[]
}

interface Found {
  results?: Passage[]
  columns?: string[]
  rows?: Row[]
  tables?: Table[]
}

/** The result of a tool call. Passages, tables and rows are drawn as such, anything else is shown as the model got it. */
export function ToolResult({ tool, text }: { tool: string | null; text: string }) {
  const { results, columns, rows, tables } = readFound(tool, text)
  if (columns && rows?.length) return <NamedRows label="Result" names={columns} rows={rows} />
  if (tables?.length) return tables.map((table) => <FoundTable key={table.table_id} table={table} />)
  if (!results?.length) return <CodeBlock text={prettyJson(text)} label="Result" />
  return (
    <ol className="passages" aria-label="Result">
      {results.map(({ index, content, metadata: { source, page, headings = [] } }) => (
        <li key={index}>
          <header className="row">
            <span className="muted">{index}</span>
            <FileText aria-hidden size={15} />
            <span className="grow clip">{source}</span>
            <Badge>Page {page}</Badge>
          </header>
          <HeadingPath headings={headings} />
          <PassageText label={`Passage ${index}`}>
            <TextWithTables text={content} render={(plain) => plain} />
          </PassageText>
        </li>
      ))}
    </ol>
  )
}

/** A table that an agent can query, with its first rows. */
const FoundTable = ({ table: { title, document, row_count, columns, first_rows } }: { table: Table }) => (
  <>
    <p className="small">
      {title}{' '}
      <span className="muted">
        in {document}, {count(row_count)} {row_count === 1 ? 'row' : 'rows'}
      </span>
    </p>
    <NamedRows label={title} names={columns.map(({ name }) => name)} rows={first_rows} />
  </>
)

/** Reads what a tool for documents has found. Other tools may answer with JSON of the same look but any meaning. */
function readFound(tool: string | null, text: string): Found {
  if (!/^(rag|ret)_/.test(tool ?? '')) return {}
  try {
    return (JSON.parse(text) ?? {}) as Found
  } catch {
    return {} // an error, or cut because it was long
  }
}
