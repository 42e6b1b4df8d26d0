import type { Schemas } from '@parley/client'
import { Fragment, useEffect, useRef } from 'react'
import { type Block, layoutPages, type Span } from './document-layout.ts'

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
  const inner = segments.map(({ text, isHighlighted }, index) =>
    isHighlighted ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: text segments have no id
      <mark key={index}>{text}</mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={index}>{text}</Fragment>
    ),
  )
  if (level === 0) return <div>{inner}</div>
  // The top level comes right below the page title.
  const Heading = `h${Math.min(6, level - top + 2)}` as 'h2'
  return <Heading id={`at-${start}`}>{inner}</Heading>
}
