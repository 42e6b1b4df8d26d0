import { FileText } from 'lucide-react'
import { DataTable } from '../parts/data-table.tsx'
import { HeadingPath, PassageText } from '../parts/passages.tsx'
import { TextWithTables } from '../parts/text-with-tables.tsx'
import { CodeBlock, prettyJson } from '../ui/code.tsx'
import { Badge } from '../ui/page.tsx'

/** A passage as a search tool gives it to a model. */
interface Passage {
  index: number
  content: string
  metadata: { source: string; page: number; headings?: string[] }
}

interface Found {
  results?: Passage[]
  columns?: string[]
  rows?: (string | number | null)[][]
}

/** The result of a tool call. Passages and rows are drawn as such, anything else is shown as the model got it. */
export function ToolResult({ tool, text }: { tool: string | null; text: string }) {
  const { results, columns, rows } = foundBy(tool, text)
  if (columns && rows?.length) {
    const named = columns.map((name, at) => ({ name, numeric: typeof rows[0]?.[at] === 'number' }))
    return <DataTable label="Result" columns={named} rows={rows} />
  }
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

/** What a tool for documents has found. Other tools may answer with JSON of the same look but any meaning. */
function foundBy(tool: string | null, text: string): Found {
  if (!/^(rag|ret)_/.test(tool ?? '')) return {}
  try {
    return JSON.parse(text) as Found
  } catch {
    return {} // an error, or cut because it was long
  }
}
