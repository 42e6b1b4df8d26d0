import type { Schemas } from '@parley/client'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { placedBlocks } from '../../parts/pipe-tables.ts'
import { PipeTable } from '../../parts/text-with-tables.tsx'
import { type Block, layoutPages, type Segment, type Span } from './document-layout.ts'

interface TextProps {
  content: Schemas['DocumentContent']
  passage: Span | null
}

/** The parsed text of a document. The requested passage is highlighted and scrolled into view. */
export function DocumentText({ content, passage }: TextProps) {
  const frame = useRef<HTMLDivElement>(null)
  const top = Math.min(...content.headings.map(({ level }) => level))
  const passageKey = passage && `${passage.start} ${passage.end}`
  useEffect(() => {
    if (passageKey) frame.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [passageKey])
  return (
    <div className="document-text" ref={frame}>
      {layoutPages(content, passage).map(({ page, blocks }) => (
        <section
          key={page ?? 'all'}
          id={page === null ? undefined : `page-${page}`}
          aria-label={page === null ? 'Text' : `Page ${page}`}
        >
          {page !== null && <p className="page-number">Page {page}</p>}
          {blocks.map((block) => (
            <TextBlock key={block.start} block={block} top={top} />
          ))}
        </section>
      ))}
    </div>
  )
}

function TextBlock({ block: { start, level, segments }, top }: { block: Block; top: number }) {
  if (level === 0) return <PlainBlock segments={segments} />
  // The top level comes right below the page title.
  const Heading = `h${Math.min(6, level - top + 2)}` as 'h2'
  return <Heading id={`at-${start}`}>{marked(segments)}</Heading>
}

const marked = (segments: Segment[]): ReactNode =>
  segments.map(({ text, isHighlighted }, index) =>
    isHighlighted ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: text segments have no id
      <mark key={index}>{text}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={index}>{text}</Fragment>
    ),
  )

const markedCell = (text: string, isMarked: boolean): ReactNode => (isMarked ? <mark>{text}</mark> : text)

/** Text without headings. Tables, which are written with pipes, are drawn; a row that the passage touches is marked as a whole. */
function PlainBlock({ segments }: { segments: Segment[] }) {
  const text = segments.map((segment) => segment.text).join('')
  const at = segments.findIndex(({ isHighlighted }) => isHighlighted)
  const from = segments.slice(0, Math.max(0, at)).reduce((sum, segment) => sum + segment.text.length, 0)
  const to = from + (segments[at]?.text.length ?? 0)
  const parts = (start: number, plain: string): Segment[] => {
    const [first, last] = [from, to].map((place) => Math.min(plain.length, Math.max(0, place - start))) as [
      number,
      number,
    ]
    return [
      { text: plain.slice(0, first), isHighlighted: false },
      { text: plain.slice(first, last), isHighlighted: true },
      { text: plain.slice(last), isHighlighted: false },
    ].filter((part) => part.text !== '')
  }
  return placedBlocks(text).map(({ start, text: plain, rows }) =>
    rows === null ? (
      <div key={start}>{marked(parts(start, plain))}</div>
    ) : (
      <PipeTable
        key={start}
        rows={rows.map((row) => row.cells.map((text) => markedCell(text, row.start < to && row.end > from)))}
      />
    ),
  )
}
