import type { Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Badge } from '../ui/page.tsx'
import { wordsIn } from './words.ts'

export type Passage = Schemas['SearchResult']

interface PassagesProps {
  query: string
  results: readonly Passage[]
  /** The tool that found them: it knows in which sources their documents are. */
  tool: string
  /** Why a result is where it is, where that is known. */
  why?: (result: Passage) => ReactNode
  cited?: (place: number) => boolean
}

/** Where a passage is shown in its document. */
export const passageAddress = (tool: string, document: string, start: number, end: number): string =>
  `/knowledge/passage?${new URLSearchParams({ tool, document, start: String(start), end: String(end) })}`

/** What a search found, the best first, with how well it fits and where it stands. */
export function Passages({ query, results, tool, why, cited }: PassagesProps) {
  if (results.length === 0)
    return <p className="muted">Nothing was found. Try other words, or a lower score threshold.</p>
  return (
    <ol className="passages" aria-label="Results">
      {results.map((result, place) => {
        const { source, page, document_id: document, chunk_id: chunk, start, end } = result.metadata
        return (
          <li key={chunk}>
            <header className="row">
              <span className="muted">{place + 1}</span>
              <FileText aria-hidden size={15} />
              <Link to={passageAddress(tool, document, start, end)} className="grow clip">
                {source}
              </Link>
              <Badge>Page {page}</Badge>
              {cited?.(place) && <Badge tone="accent">cited</Badge>}
              <Score value={result.score} />
            </header>
            <p className="passage-text">
              <Highlighted text={result.content} query={query} />
            </p>
            {why && <footer className="muted small row">{why(result)}</footer>}
          </li>
        )
      })}
    </ol>
  )
}

const Score = ({ value }: { value: number }) => (
  <span className="row nowrap score" title="How well it fits, from 0 to 1">
    <progress className="share" max={1} value={value} aria-label="Score" />
    <span className="small">{value.toFixed(2)}</span>
  </span>
)

/** The words of the query, wherever they stand in the text. */
function Highlighted({ text, query }: { text: string; query: string }) {
  const found = wordsIn(query)
  if (!found) return text
  return text.split(found).map((part, place) =>
    // Every second part is what the pattern found.
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name than their place
      <mark key={place}>{part}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={place}>{part}</Fragment>
    ),
  )
}
