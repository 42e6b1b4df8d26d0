import type { MarkdownIt, Token } from 'markdown-it'
import { joinWrappedLines } from './wrapped-lines.ts'

/** A top-level block of a text: its tokens are parsed once. */
export interface Block {
  /** Where it starts in the text. */
  start: number
  tokens: Token[]
}

export interface Parsed {
  text: string
  blocks: Block[]
  references: object
}

/**
 * Parses a text into blocks. If it continues the previous text, only the blocks after the last empty line between
 * two blocks are parsed again, because earlier ones can no longer change.
 */
export function parseBlocks(parser: MarkdownIt, text: string, previous: Parsed | null): Parsed {
  const before = previous && text.startsWith(previous.text) ? previous : null
  const finished = before ? finishedBlocks(before) : []
  const from = before?.blocks[finished.length]?.start ?? 0
  const environment = { references: { ...before?.references } }
  const tokens = parser.parse(text.slice(from), environment)
  joinWrappedLines(tokens)
  return { text, blocks: [...finished, ...splitBlocks(tokens, text, from)], references: environment.references }
}

function finishedBlocks({ text, blocks }: Parsed): Block[] {
  const open = blocks.findLastIndex(
    ({ start }, at) =>
      /\n[ \t]*\n[ \t]*$/.test(text.slice(Math.max(0, start - 200), start)) &&
      !(isOrderedList(blocks[at - 1]) && startOfMarker.test(text.slice(start))),
  )
  return blocks.slice(0, Math.max(0, open))
}

const isOrderedList = (block: Block | undefined): boolean => block?.tokens[0]?.type === 'ordered_list_open'

/** A text that ends in it may go on as the next item of a list: "2" becomes "2. ". */
const startOfMarker = /^\d{1,9}[.)]?$/

function splitBlocks(tokens: Token[], text: string, from: number): Block[] {
  const blocks: Block[] = []
  let line = 0
  let start = from
  for (const token of tokens) {
    if (token.level === 0 && token.nesting !== -1) {
      for (const first = token.map?.[0] ?? line; line < first; line++) start = text.indexOf('\n', start) + 1
      blocks.push({ start, tokens: [] })
    }
    blocks.at(-1)?.tokens.push(token)
  }
  return blocks
}
