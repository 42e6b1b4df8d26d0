import type { Block, ChunkSource, Heading } from '../document.ts'
import { isSpace, skipSpace, skipSpaceBack } from '../whitespace.ts'

/** How well a chunk can end at a break: the higher the better. */
export const strengths = {
  /** A line end inside a block that fits into a chunk. An overlap starts here if a sentence is too long. */
  insideLine: -1,
  /** A sentence end inside a block that fits into a chunk, or right after a heading. Only overlaps start here. */
  inside: 0,
  /** A line end inside a sentence. */
  line: 1,
  /** The end of a sentence, table row, list item or line of code. */
  sentence: 2,
  block: 3,
  /** Minus the level. */
  heading: 10,
  /** A heading that is a question. It starts a chunk, so that a search finds the question with its answer alone. */
  question: 11,
  /** The end of a page. Chunks never cross it, so that the page of a chunk is exact. */
  page: 12,
  /** The end of a page inside a sentence or block. The next chunk may overlap it. */
  pageWithin: 13,
} as const

export interface Breaks {
  positions: number[]
  strengths: number[]
}

// Repetitions are bounded, so that a megabyte of full stops does not take quadratic time.
const sentenceEnds =
  /\n|[.!?…]["'”’»)\]*_]{0,4}(?=\s)|[。！？｡．]["'”’」』）》】\]]{0,4}(?![。！？｡．])|[؟۔।॥።჻]["'”’»)\]]{0,4}/g
const abbreviation =
  /(?:^|[\s("'“‘[])(?:\p{L}|\d{1,3}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Rep|Sen|Gov|Lt|Col|Capt|Sgt|vs|etc|e\.g|i\.e|cf|al|approx|Fig|Figs|Eq|Eqs|No|Nos|Vol|pp|ed|eds|Inc|Ltd|Co|Corp|Art|Abs|Nr|bzw|z\.B|d\.h|u\.a|usw|ca|Sec|Ch|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|U\.S|a\.m|p\.m)$/u

const isQuestion = /[?？؟]$/

/** All places where a chunk may start or end, in order. A block that fits into a chunk is not split. */
export function findBreaks(document: ChunkSource, fits: (start: number, end: number) => boolean): Breaks {
  const breaks: Breaks = { positions: [], strengths: [] }
  const headings = new Map(document.headings.map((heading) => [heading.start, heading]))
  let headingStart: number | undefined
  let headingBreak = 0
  for (const block of coveringBlocks(document)) {
    const heading = headings.get(block.start)
    if (headingStart !== undefined) add(breaks, block.start, strengths.inside)
    else add(breaks, block.start, heading ? strengths.heading - Math.min(heading.level, 6) : strengths.block)
    const start = headingStart ?? block.start
    if (headingStart === undefined) headingBreak = breaks.positions.length - 1
    if (heading && isQuestion.test(heading.title)) breaks.strengths[headingBreak] = strengths.question
    if (block.kind === 'heading') {
      headingStart = start
      continue
    }
    addInner(breaks, document.text, block, fits(start, block.end))
    headingStart = undefined
  }
  return withPages(breaks, document)
}

/** Merges page starts into the breaks. */
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
  const strength = whole ? strengths.inside : strengths.sentence
  if (block.kind === 'table') addRows(breaks, text, block, strength)
  else if (block.kind === 'code') addLines(breaks, text, block, strength)
  else addSentences(breaks, text, block, strength)
}

function addRows(breaks: Breaks, text: string, block: Block, max: number): void {
  lineStarts(text, block).forEach((start, row) => {
    // The header and the line under it stay with the first row.
    if (row > 0) add(breaks, start, row <= 2 ? strengths.inside : max)
  })
}

/** Code is best split before a line without indentation. */
function addLines(breaks: Breaks, text: string, block: Block, max: number): void {
  for (const start of lineStarts(text, block)) {
    if (start > block.start)
      add(breaks, start, Math.min(max, isSpace(text, start) ? strengths.line : strengths.sentence))
  }
}

function addSentences(breaks: Breaks, text: string, block: Block, max: number): void {
  sentenceEnds.lastIndex = block.start
  let sentenceEnded = false
  for (let match = sentenceEnds.exec(text); match !== null; match = sentenceEnds.exec(text)) {
    const end = match.index + match[0].length
    if (end >= block.end) break
    if (match[0] === '\n') {
      const isEnd = sentenceEnded || isItem(text, block, end)
      add(breaks, end, isEnd ? max : max === strengths.inside ? strengths.insideLine : strengths.line)
      sentenceEnded = false
      continue
    }
    sentenceEnded = /^[ \t\r]*\n/.test(text.slice(end, end + 4))
    if (!sentenceEnded && !isAbbreviation(text, match.index, match[0])) add(breaks, end, max)
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

/** The blocks of a document, with paragraphs in the gaps. */
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

/** Trimmed, because the white space around a paragraph may be very long. */
function addParagraph(blocks: Block[], text: string, from: number, to: number): void {
  const start = skipSpace(text, from)
  if (start < to) blocks.push({ kind: 'paragraph', start, end: skipSpaceBack(text, to) })
}
