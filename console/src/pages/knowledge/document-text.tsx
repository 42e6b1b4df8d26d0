import type { Schemas } from '@parley/client'
import { Fragment, useEffect, useRef } from 'react'
import { type Block, type Span, sheetsOf } from './pieces.ts'

interface TextProps {
  content: Schemas['DocumentContent']
  passage: Span | null
}

/** A document as it was read. A passage that is asked for is marked and brought into view. */
export function DocumentText({ content, passage }: TextProps) {
  const frame = useRef<HTMLDivElement>(null)
  const top = Math.min(...content.headings.map(({ level }) => level))
  const wanted = passage && `${passage.start} ${passage.end}`
  useEffect(() => {
    if (wanted) frame.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [wanted])
  return (
    <div className="document-text" ref={frame}>
      {sheetsOf(content, passage).map(({ page, blocks }) => (
        <section
          key={page ?? 'all'}
          id={page === null ? undefined : `page-${page}`}
          aria-label={page === null ? 'Text' : `Page ${page}`}
        >
          {page !== null && <p className="page-number">Page {page}</p>}
          {blocks.map((block) => (
            <ShownBlock key={block.start} block={block} top={top} />
          ))}
        </section>
      ))}
    </div>
  )
}

function ShownBlock({ block: { start, level, pieces }, top }: { block: Block; top: number }) {
  const inner = pieces.map(({ text, marked }, place) =>
    marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name than their place
      <mark key={place}>{text}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={place}>{text}</Fragment>
    ),
  )
  if (level === 0) return <div>{inner}</div>
  // The highest of them come right below the title of the page.
  const Heading = `h${Math.min(6, level - top + 2)}` as 'h2'
  return <Heading id={`at-${start}`}>{inner}</Heading>
}
