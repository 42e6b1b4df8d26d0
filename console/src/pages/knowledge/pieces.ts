/** The parts of a document's content that it takes to show it. */
interface Content {
  start: number
  end: number
  text: string
  pages: readonly { number: number; start: number; end: number }[]
  headings: readonly { level: number; start: number }[]
}

interface Piece {
  text: string
  marked: boolean
}
export interface Block {
  start: number
  /** Of a heading; 0 for other text. */
  level: number
  pieces: Piece[]
}
export interface Sheet {
  /** The page, where the format has pages. */
  page: number | null
  blocks: Block[]
}
export interface Span {
  start: number
  end: number
}

/** The text cut into pages, headings and what is between them, with the passage marked wherever it lies. */
export function sheetsOf(content: Content, passage: Span | null): Sheet[] {
  const pages = content.pages.length > 0 ? content.pages : [{ number: null, start: content.start, end: content.end }]
  return pages.map(({ number, start, end }) => ({
    page: number,
    blocks: blocksOf(content, { start: Math.max(start, content.start), end: Math.min(end, content.end) }, passage),
  }))
}

function blocksOf(content: Content, within: Span, passage: Span | null): Block[] {
  const blocks: Block[] = []
  const add = (span: Span, level: number) => {
    const shown = withoutEdges(content, span)
    if (shown.end > shown.start) blocks.push({ start: shown.start, level, pieces: piecesOf(content, shown, passage) })
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

/** Empty lines at the edges are left to the layout. */
function withoutEdges({ text, start: offset }: Content, { start, end }: Span): Span {
  let from = start
  let to = end
  while (from < to && text[from - offset] === '\n') from++
  while (to > from && text[to - 1 - offset] === '\n') to--
  return { start: from, end: to }
}

function piecesOf(content: Content, { start, end }: Span, passage: Span | null): Piece[] {
  const from = Math.min(end, Math.max(start, passage?.start ?? end))
  const to = Math.max(from, Math.min(end, passage?.end ?? end))
  const cut = (first: number, last: number) => content.text.slice(first - content.start, last - content.start)
  return [
    { text: cut(start, from), marked: false },
    { text: cut(from, to), marked: true },
    { text: cut(to, end), marked: false },
  ].filter(({ text }) => text !== '')
}
