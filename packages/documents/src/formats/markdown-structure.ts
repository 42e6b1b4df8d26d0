import MarkdownIt, { type Token } from 'markdown-it'
import type { Block, BlockKind, Heading } from '../document.ts'
import { skipSpace, skipSpaceBack } from '../whitespace.ts'

const blockParser = new MarkdownIt()
blockParser.core.ruler.enableOnly(['normalize', 'block'])
const inlineParser = new MarkdownIt()

const kinds: Record<string, BlockKind> = {
  heading_open: 'heading',
  table_open: 'table',
  fence: 'code',
  code_block: 'code',
  bullet_list_open: 'list',
  ordered_list_open: 'list',
}

// Longer texts are parsed in parts, because the parser keeps all tokens in memory.
const partLength = 1_000_000

export interface MarkdownStructure {
  headings: Heading[]
  blocks: Block[]
}

/** The headings and blocks of a Markdown text. */
export function markdownStructure(text: string): MarkdownStructure {
  const structure: MarkdownStructure = { headings: [], blocks: [] }
  let start = 0
  for (const end of partEnds(text)) {
    addPart(structure, text.slice(start, end), start)
    start = end
  }
  return structure
}

/** Parts end at empty lines outside of code fences, before a heading if possible. */
function partEnds(text: string): number[] {
  if (text.length <= partLength) return [text.length]
  const ends: number[] = []
  let fence = ''
  let start = 0
  for (const match of text.matchAll(/^ {0,3}(`{3,}|~{3,})|\n[ \t\r]*\n(?=(#?))/gm)) {
    const [, mark, heading] = match
    if (mark !== undefined) {
      if (fence === '') fence = mark
      else if (mark.startsWith(fence)) fence = ''
    } else if (fence === '' && match.index - start > (heading === '#' ? partLength / 2 : partLength)) {
      start = match.index + match[0].length
      ends.push(start)
    }
  }
  return [...ends, text.length]
}

/** A table in a list or quote is a block of its own between the parts of that. */
function addPart({ headings, blocks }: MarkdownStructure, part: string, offset: number): void {
  const lines = lineStarts(part)
  const tokens = blockParser.parse(part, {})
  tokens.forEach((token, index) => {
    const isInner = token.level > 0 && token.type === 'table_open'
    if ((token.level !== 0 && !isInner) || token.nesting === -1 || !token.map) return
    const start = lines[token.map[0]] ?? part.length
    const end = skipSpaceBack(part, lines[token.map[1]] ?? part.length)
    if (end <= start) return
    const kind = kinds[token.type] ?? 'paragraph'
    const outer = isInner ? blocks.pop() : undefined
    if (outer && outer.start < offset + start) blocks.push({ ...outer, end: offset + skipSpaceBack(part, start) })
    blocks.push({ kind, start: offset + start, end: offset + end })
    if (outer && offset + end < outer.end) blocks.push({ ...outer, start: offset + skipSpace(part, end) })
    if (kind !== 'heading') return
    headings.push({ level: Number(token.tag.slice(1)), title: headingText(tokens[index + 1]), start: offset + start })
  })
}

/** Line starts, with the same line ends as the parser uses. */
function lineStarts(text: string): number[] {
  const starts = [0]
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length)
  return starts
}

/** The text of a heading without markup. */
function headingText(inline: Token | undefined): string {
  const source = inline?.content ?? ''
  if (!/[*_`[\]<&\\!~]/.test(source)) return source.trim()
  const children = inlineParser.parseInline(source.slice(0, 1000), {})[0]?.children ?? []
  return children.map(visibleText).join('').replace(/\s+/g, ' ').trim() || source.trim()
}

const visibleText = (token: Token): string =>
  token.type === 'softbreak'
    ? ' '
    : token.type === 'text' || token.type === 'code_inline' || token.type === 'image'
      ? token.content
      : ''
