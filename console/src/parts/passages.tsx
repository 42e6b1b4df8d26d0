import type { Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Badge } from '../ui/page.tsx'
import { patternOf } from './words.ts'

type Passage = Schemas['SearchResult']

interface PassagesProps {
  results: readonly Passage[]
  /** The tool that found them: it knows in which sources their documents are. */
  tool: string
  cited?: (place: number) => boolean
}

/** Where a passage is shown in its document. */
export const passageAddress = (tool: string, document: string, start: number, end: number): string =>
  `/knowledge/passage?${new URLSearchParams({ tool, document, start: String(start), end: String(end) })}`

/** What a search found, the best first: how well it fits, why, and where it stands. */
export function Passages({ results, tool, cited }: PassagesProps) {
  if (results.length === 0)
    return <p className="muted">Nothing was found. Try other words, or a lower score threshold.</p>
  return (
    <ol className="passages" aria-label="Results">
      {results.map(({ content, score, metadata, why }, place) => {
        const { source, page, document_id: document, chunk_id: chunk, start, end } = metadata
        const asked = patternOf(why.terms)
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
            </header>
            <HeadingPath headings={why.headings} asked={asked} />
            <PassageText label={`Passage ${place + 1}`}>
              <Marked text={content} asked={asked} />
            </PassageText>
            <footer className="scores">
              <Share label="Score" value={score} />
              <Share label="By words" value={why.keyword} />
              <Share label="By meaning" value={why.vector} />
            </footer>
          </li>
        )
      })}
    </ol>
  )
}

/** The words of a passage: as many as there is room for, the rest can be scrolled to. */
export const PassageText = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard
  <section className="passage-text" aria-label={label} tabIndex={0}>
    {children}
  </section>
)

/** The headings above a passage, outermost first. */
export const HeadingPath = ({ headings, asked = null }: { headings: readonly string[]; asked?: RegExp | null }) =>
  headings.length > 0 && (
    <p className="heading-path muted small">
      {headings.map((heading, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two headings may be called the same
        <Fragment key={place}>
          {place > 0 && <span aria-hidden> › </span>}
          <Marked text={heading} asked={asked} />
        </Fragment>
      ))}
    </p>
  )

/** From 0 to 1, or a dash where that side did not speak for it. */
const Share = ({ label, value }: { label: string; value: number | null }) => (
  <span className="row nowrap score">
    <span>{label}</span>
    <progress className="share" max={1} value={value ?? 0} aria-label={label} />
    <span className="figure">{value === null ? '–' : value.toFixed(2)}</span>
  </span>
)

/** A text with the words that were asked for, wherever they stand in it. */
function Marked({ text, asked }: { text: string; asked: RegExp | null }) {
  if (!asked) return text
  return text.split(asked).map((part, place) =>
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
