import type { Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { fixed } from '../ui/format.ts'
import { Badge } from '../ui/page.tsx'
import { termPattern } from './term-pattern.ts'
import { TextWithTables } from './text-with-tables.tsx'

type Passage = Schemas['SearchResult']

interface PassagesProps {
  results: readonly Passage[]
  /** The tool that found them. It knows the sources of the documents. */
  tool: string
  cited?: (index: number) => boolean
}

/** The page that shows a passage in its document. */
export const passageUrl = (tool: string, document: string, start: number, end: number): string =>
  `/knowledge/passage?${new URLSearchParams({ tool, document, start: String(start), end: String(end) })}`

/** Search results, best first, with scores and links to the documents. */
export function Passages({ results, tool, cited }: PassagesProps) {
  if (results.length === 0) return <p className="muted">No results. Try other words or lower the minimum score.</p>
  return (
    <ol className="passages" aria-label="Results">
      {results.map(({ content, score, metadata, why }, index) => {
        const { source, page, document_id: document, chunk_id: chunk, start, end } = metadata
        const terms = termPattern(why.terms)
        return (
          <li key={chunk}>
            <header className="row">
              <span className="muted">{index + 1}</span>
              <FileText aria-hidden size={15} />
              <Link to={passageUrl(tool, document, start, end)} className="grow clip">
                {source}
              </Link>
              <Badge>Page {page}</Badge>
              {cited?.(index) && <Badge tone="accent">cited</Badge>}
            </header>
            <HeadingPath headings={why.headings} terms={terms} />
            <PassageText label={`Passage ${index + 1}`}>
              <TextWithTables text={content} render={(text) => <Highlighted text={text} terms={terms} />} />
            </PassageText>
            <footer className="scores">
              <Score label="Score" value={score} />
              <Score label="Keyword" value={why.keyword} />
              <Score label="Semantic" value={why.vector} />
            </footer>
          </li>
        )
      })}
    </ol>
  )
}

/** The text of a passage in a scrollable box. */
export const PassageText = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section className="passage-text" aria-label={label} tabIndex={0}>
    {children}
  </section>
)

/** The headings above a passage, outermost first. */
export const HeadingPath = ({ headings, terms = null }: { headings: readonly string[]; terms?: RegExp | null }) =>
  headings.length > 0 && (
    <p className="heading-path muted small">
      {headings.map((heading, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: headings can repeat
        <Fragment key={index}>
          {index > 0 && <span aria-hidden> › </span>}
          <Highlighted text={heading} terms={terms} />
        </Fragment>
      ))}
    </p>
  )

/** A score from 0 to 1, or a dash if that search did not find the passage. */
const Score = ({ label, value }: { label: string; value: number | null }) => (
  <span className="row nowrap score">
    <span>{label}</span>
    <progress className="share" max={1} value={value ?? 0} aria-label={label} />
    <span className="figure">{value === null ? '–' : fixed(value, 2)}</span>
  </span>
)

/** A text with the matched terms highlighted. */
function Highlighted({ text, terms }: { text: string; terms: RegExp | null }) {
  if (!terms) return text
  return text.split(terms).map((part, index) =>
    // Every second part is a match.
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: text parts have no id
      <mark key={index}>{part}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
