import type { ChunkSource } from './chunk.ts'
import type { Block, Heading } from '../document.ts'
import { isSpace, skipSpace, skipSpaceBack } from '../whitespace.ts'

/** How good a place is to end a passage: the higher the better. */
export const strengths = {
  /** The end of a line inside of something that fits: to repeat from where a whole sentence would be too long. */
  insideLine: -1,
  /** Inside of something that fits into one chunk, or right after a heading: only to repeat a sentence from. */
  inside: 0,
  /** The end of a line that does not end a sentence. */
  line: 1,
  /** The end of a sentence, a row of a table, an item of a list or a line of code. */
  sentence: 2,
  block: 3,
  /** Minus the level. */
  heading: 10,
  /** The end of a page. A chunk never goes on over it, so the page that it names is right. */
  page: 11,
  /** The same within a sentence or a block: the next chunk may repeat what leads up to it. */
  pageWithin: 12,
} as const

export interface Breaks {
  positions: number[]
  strengths: number[]
}

// The repeats are bounded: a megabyte of full stops must not be read again from each of them.
const sentenceEnds =
  /\n|[.!?…]["'”’»)\]*_]{0,4}(?=\s)|[。！？｡．]["'”’」』）》】\]]{0,4}(?![。！？｡．])|[؟۔।॥።჻]["'”’»)\]]{0,4}/g
const abbreviation =
  /(?:^|[\s("'“‘[])(?:\p{L}|\d{1,3}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Rep|Sen|Gov|Lt|Col|Capt|Sgt|vs|etc|e\.g|i\.e|cf|al|approx|Fig|Figs|Eq|Eqs|No|Nos|Vol|pp|ed|eds|Inc|Ltd|Co|Corp|Art|Abs|Nr|bzw|z\.B|d\.h|u\.a|usw|ca|Sec|Ch|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|U\.S|a\.m|p\.m)$/u

/** Every place where a passage may begin or end, in order. A block that fits into one chunk is not cut. */
export function findBreaks(document: ChunkSource, fits: (start: number, end: number) => boolean): Breaks {
  const breaks: Breaks = { positions: [], strengths: [] }
  const headings = new Map(document.headings.map((heading) => [heading.start, heading]))
  let glued: number | undefined
  for (const block of coveringBlocks(document)) {
    const heading = headings.get(block.start)
    if (glued !== undefined) add(breaks, block.start, strengths.inside)
    else add(breaks, block.start, heading ? strengths.heading - Math.min(heading.level, 6) : strengths.block)
    const start = glued ?? block.start
    if (block.kind === 'heading') {
      glued = start
      continue
    }
    addInner(breaks, document.text, block, fits(start, block.end))
    glued = undefined
  }
  return withPages(breaks, document)
}

/** Puts the beginnings of pages among the other breaks. */
function withPages(breaks: Breaks, { text, pages }: ChunkSource): Breaks {
  const all: Breaks = { positions: [], strengths: [] }
  const starts = [...new Set(pages.slice(1).map(({ start }) => skipSpace(text, start)))]
  let next = 0
  breaks.positions.forEach((position, at) => {
    for (; (starts[next] ?? Number.POSITIVE_INFINITY) < position; next++)
      add(all, starts[next] as number, strengths.pageWithin)
    const strength = breaks.strengths[at] as number
    const isPage = starts[next] === position
    add(all, position, isPage ? (strength >= strengths.block ? strengths.page : strengths.pageWithin) : strength)
    if (isPage) next++
  })
  for (const start of starts.slice(next)) add(all, start, strengths.pageWithin)
  return all
}

function add(breaks: Breaks, position: number, strength: number): void {
  breaks.positions.push(position)
  breaks.strengths.push(strength)
}

function addInner(breaks: Breaks, text: string, block: Block, whole: boolean): void {
  const most = whole ? strengths.inside : strengths.sentence
  if (block.kind === 'table') addRows(breaks, text, block, most)
  else if (block.kind === 'code') addLines(breaks, text, block, most)
  else addSentences(breaks, text, block, most)
}

function addRows(breaks: Breaks, text: string, block: Block, most: number): void {
  lineStarts(text, block).forEach((start, row) => {
    // The names of the columns and the dashes under them stay with the first row.
    if (row > 0) add(breaks, start, row <= 2 ? strengths.inside : most)
  })
}

/** Code is best cut before a line that is not indented. */
function addLines(breaks: Breaks, text: string, block: Block, most: number): void {
  for (const start of lineStarts(text, block)) {
    if (start > block.start)
      add(breaks, start, Math.min(most, isSpace(text, start) ? strengths.line : strengths.sentence))
  }
}

function addSentences(breaks: Breaks, text: string, block: Block, most: number): void {
  sentenceEnds.lastIndex = block.start
  let ended = false
  for (let match = sentenceEnds.exec(text); match !== null; match = sentenceEnds.exec(text)) {
    const end = match.index + match[0].length
    if (end >= block.end) break
    if (match[0] === '\n') {
      const isEnd = ended || isItem(text, block, end)
      add(breaks, end, isEnd ? most : most === strengths.inside ? strengths.insideLine : strengths.line)
      ended = false
      continue
    }
    ended = /^[ \t\r]*\n/.test(text.slice(end, end + 4))
    if (!ended && !isAbbreviation(text, match.index, match[0])) add(breaks, end, most)
  }
}

const isItem = (text: string, block: Block, at: number): boolean =>
  block.kind === 'list' && /^\s*(?:[-*+•]|\d+[.)])\s/.test(text.slice(at, at + 12))

const isAbbreviation = (text: string, at: number, mark: string): boolean =>
  mark === '.' && abbreviation.test(text.slice(Math.max(0, at - 8), at))

function lineStarts(text: string, block: Block): number[] {
  const starts = [block.start]
  for (let at = text.indexOf('\n', block.start); at !== -1 && at + 1 < block.end; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1)
  }
  return starts
}

/** The blocks of a document with paragraphs in every gap, so that no character is outside of one. */
function coveringBlocks(document: ChunkSource): Block[] {
  const covering: Block[] = []
  let at = 0
  for (const block of document.blocks ?? headingLines(document)) {
    if (block.start > at) addParagraphs(covering, document.text, at, block.start)
    covering.push(block)
    at = block.end
  }
  if (at < document.text.length) addParagraphs(covering, document.text, at, document.text.length)
  return covering
}

function headingLines({ text, headings }: ChunkSource): Block[] {
  return headings.map(({ start }: Heading) => {
    const end = text.indexOf('\n', start)
    return { kind: 'heading', start, end: end === -1 ? text.length : end }
  })
}

function addParagraphs(blocks: Block[], text: string, from: number, to: number): void {
  const emptyLine = /\n[ \t\r]*\n\s*/g
  emptyLine.lastIndex = from
  let start = from
  for (let match = emptyLine.exec(text); match !== null && match.index < to; match = emptyLine.exec(text)) {
    const end = Math.min(match.index + match[0].length, to)
    addParagraph(blocks, text, start, end)
    start = end
  }
  addParagraph(blocks, text, start, to)
}

/** Without the white space around it, which may be longer than any text. */
function addParagraph(blocks: Block[], text: string, from: number, to: number): void {
  const start = skipSpace(text, from)
  if (start < to) blocks.push({ kind: 'paragraph', start, end: skipSpaceBack(text, to) })
}
