import { MessageCircleQuestion, Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { Passages } from '../../parts/passages.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { milliseconds } from '../../ui/format.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { Card } from '../../ui/page.tsx'
import type { RagTool, RetrievalTool } from './kinds.ts'

interface AskProps {
  label: string
  action: string
  busy: boolean
  onAsk: (query: string) => void
  children?: ReactNode
}

function Ask({ label, action, busy, onAsk, children }: AskProps) {
  const [query, setQuery] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk(query.trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <div className="ask">
        <Field label={label}>
          {(control) => (
            <input {...control} type="search" value={query} onChange={(event) => setQuery(event.target.value)} />
          )}
        </Field>
        <Button type="submit" variant="primary" icon={Search} busy={busy} disabled={query.trim() === ''}>
          {action}
        </Button>
      </div>
      {children}
    </form>
  )
}

/** Asks a RAG tool as it is saved: the answer with its citations, and what it was made of. */
export function AskTool({ tool }: { tool: RagTool }) {
  const ask = useSave({ touches: [], run: (query: string) => parley.ragTools.query(tool.id, { query, answer: true }) })
  const found = ask.data
  const cites = (label: string) => {
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
      <Ask label="Question" action="Ask" busy={ask.isPending} onAsk={(query) => ask.mutate(query)} />
      {!found && (
        <p className="muted row">
          <MessageCircleQuestion aria-hidden size={16} /> Ask something that the documents answer.
        </p>
      )}
      {found && (
        <>
          {found.answer !== null && (
            <section aria-label="Answer" className="answer">
              <Markdown text={found.answer} mark={cites} />
            </section>
          )}
          <Passages
            results={found.results}
            tool={tool.id}
            cited={(place) => found.citations.some(({ result }) => result === place)}
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
    touches: [],
    run: (query: string) => parley.retrievalTools.search(tool.id, { query, ...(mode && { search_mode: mode }) }),
  })
  const found = search.data
  return (
    <Card title="Try it">
      <Ask label="What to look for" action="Search" busy={search.isPending} onAsk={(query) => search.mutate(query)}>
        <SelectField
          label="How"
          value={mode}
          onChange={(next) => setMode(next as Mode | '')}
          options={[
            { value: '', label: 'As the tool is set' },
            { value: 'hybrid', label: 'By words and meaning' },
            { value: 'vector', label: 'By meaning' },
            { value: 'keyword', label: 'By words' },
          ]}
        />
      </Ask>
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
