/** The fields of a document's content that the layout needs. */
interface Content {
  start: number
  end: number
  text: string
  pages: readonly { number: number; start: number; end: number }[]
  headings: readonly { level: number; start: number }[]
}

export interface Segment {
  text: string
  isHighlighted: boolean
}
export interface Block {
  start: number
  /** The heading level, or 0 for other text. */
  level: number
  segments: Segment[]
}
export interface PageLayout {
  /** The page number, or null if the format has no pages. */
  page: number | null
  blocks: Block[]
}
export interface Span {
  start: number
  end: number
}

/** Splits the text into pages, headings and text blocks, and highlights the passage. */
export function layoutPages(content: Content, passage: Span | null): PageLayout[] {
  const pages = content.pages.length > 0 ? content.pages : [{ number: null, start: content.start, end: content.end }]
  return pages.map(({ number, start, end }) => ({
    page: number,
    blocks: splitBlocks(content, { start: Math.max(start, content.start), end: Math.min(end, content.end) }, passage),
  }))
}

function splitBlocks(content: Content, within: Span, passage: Span | null): Block[] {
  const blocks: Block[] = []
  const add = (span: Span, level: number) => {
    const shown = trimmed(content, span)
    if (shown.end > shown.start)
      blocks.push({ start: shown.start, level, segments: splitSegments(content, shown, passage) })
  }
  let at = within.start
  for (const { start, level } of content.headings) {
    if (start < at || start >= within.end) continue
    const lineEnd = content.text.indexOf('\n', start - content.start)
    const end = Math.min(within.end, lineEnd === -1 ? within.end : lineEnd + content.start)
    add({ start: at, end: start }, 0)
    add({ start, end }, level)
    at = end
  }
  add({ start: at, end: within.end }, 0)
  return blocks
}

/** Trims empty lines at both ends. */
function trimmed({ text, start: offset }: Content, { start, end }: Span): Span {
  let from = start
  let to = end
  while (from < to && text[from - offset] === '\n') from++
  while (to > from && text[to - 1 - offset] === '\n') to--
  return { start: from, end: to }
}

function splitSegments(content: Content, { start, end }: Span, passage: Span | null): Segment[] {
  const from = Math.min(end, Math.max(start, passage?.start ?? end))
  const to = Math.max(from, Math.min(end, passage?.end ?? end))
  const slice = (first: number, last: number) => content.text.slice(first - content.start, last - content.start)
  return [
    { text: slice(start, from), isHighlighted: false },
    { text: slice(from, to), isHighlighted: true },
    { text: slice(to, end), isHighlighted: false },
  ].filter(({ text }) => text !== '')
}
