import type { MarkdownIt, Token } from 'markdown-it'
import { joinWrappedLines } from './wrapped-lines.ts'

/** A top-level block of a text: its tokens are parsed once. */
interface Block {
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
 * Parses a text into blocks. Of a text that continues the previous one, only the last block is parsed again: what comes
 * before it can no longer change.
 */
export function parseBlocks(parser: MarkdownIt, text: string, previous: Parsed | null): Parsed {
  const last = previous && text.startsWith(previous.text) ? previous.blocks.at(-1) : undefined
  const finished = last ? (previous?.blocks.slice(0, -1) ?? []) : []
  const from = last?.start ?? 0
  const environment = { references: { ...(last && previous?.references) } }
  const tokens = parser.parse(text.slice(from), environment)
  joinWrappedLines(tokens)
  return { text, blocks: [...finished, ...blocksOf(tokens, text, from)], references: environment.references }
}

function blocksOf(tokens: Token[], text: string, from: number): Block[] {
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
