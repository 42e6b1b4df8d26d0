import { MessageCircleQuestion, Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Passages } from '../../parts/passages.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { milliseconds } from '../../ui/format.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { Card } from '../../ui/page.tsx'
import type { RagTool, RetrievalTool } from './tool-types.ts'

interface QueryFormProps {
  label: string
  action: string
  busy: boolean
  onSubmit: (query: string) => void
  children?: ReactNode
}

function QueryForm({ label, action, busy, onSubmit, children }: QueryFormProps) {
  const [query, setQuery] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(query.trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <div className="ask">
        <TextField label={label} type="search" value={query} onChange={setQuery} />
        <Button type="submit" variant="primary" icon={Search} busy={busy} disabled={query.trim() === ''}>
          {action}
        </Button>
      </div>
      {children}
    </form>
  )
}

/** Asks the saved RAG tool and shows the answer, citations and passages. */
export function AskTool({ tool }: { tool: RagTool }) {
  const ask = useSave({
    invalidates: [],
    run: (query: string) => parley.ragTools.query(tool.id, { query, answer: true }),
  })
  const found = ask.data
  const renderCitation = (label: string) => {
    const citation = found?.citations.find(({ index }) => String(index) === label)
    return citation ? (
      <abbr className="cite" title={citation.quote}>
        {label}
      </abbr>
    ) : (
      `[${label}]`
    )
  }
  return (
    <Card title="Try it">
      <QueryForm label="Question" action="Ask" busy={ask.isPending} onSubmit={(query) => ask.mutate(query)} />
      {!found && (
        <p className="muted row">
          <MessageCircleQuestion aria-hidden size={16} /> Ask a question about the documents.
        </p>
      )}
      {found && (
        <>
          {found.answer !== null && (
            <section aria-label="Answer" className="answer">
              <Markdown text={found.answer} renderCitation={renderCitation} />
            </section>
          )}
          <Passages
            results={found.results}
            tool={tool.id}
            cited={(index) => found.citations.some(({ result }) => result === index)}
          />
        </>
      )}
    </Card>
  )
}

type Mode = RetrievalTool['search_mode']

export function SearchWithTool({ tool }: { tool: RetrievalTool }) {
  const [mode, setMode] = useState<Mode | ''>('')
  const search = useSave({
    invalidates: [],
    run: (query: string) => parley.retrievalTools.search(tool.id, { query, ...(mode && { search_mode: mode }) }),
  })
  const found = search.data
  return (
    <Card title="Try it">
      <QueryForm
        label="Search query"
        action="Search"
        busy={search.isPending}
        onSubmit={(query) => search.mutate(query)}
      >
        <SelectField
          label="Mode"
          value={mode}
          onChange={setMode}
          options={[
            { value: '', label: 'Tool default' },
            { value: 'hybrid', label: 'Hybrid' },
            { value: 'vector', label: 'Semantic' },
            { value: 'keyword', label: 'Keyword' },
          ]}
        />
      </QueryForm>
      {found && (
        <>
          <p className="muted small" role="status">
            {found.results.length === 1 ? '1 passage' : `${found.results.length} passages`} in{' '}
            {milliseconds(Math.max(1, Math.round(found.took_ms)))}
          </p>
          <Passages results={found.results} tool={tool.id} />
        </>
      )}
    </Card>
  )
}
