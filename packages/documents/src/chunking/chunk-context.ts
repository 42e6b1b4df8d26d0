import type { Block, ChunkSource, Heading, Page } from '../document.ts'
import { skipSpace } from '../whitespace.ts'

const maxHeaderLength = 1_000

/** Finds the headings above positions of a document. */
export class HeadingPaths {
  readonly #text: string
  readonly #headings: Heading[]
  #next = 0
  #open: Heading[] = []
  #path: string[] = []

  constructor({ text, headings }: ChunkSource) {
    this.#text = text
    this.#headings = headings
  }

  /** The titles of the headings above the first text of a span that is not a heading. Call it with ascending spans. */
  above(start: number, end: number): string[] {
    let textStart = start
    for (let heading = this.#headings[this.#next]; heading; heading = this.#headings[this.#next]) {
      if (heading.start > textStart || heading.start >= end) break
      const { level, start: headingStart } = heading
      this.#open = [...this.#open.filter((each) => each.level < level), heading]
      this.#path = this.#open.map(({ title }) => title)
      this.#next++
      if (headingStart >= start) textStart = skipSpace(this.#text, lineEnd(this.#text, headingStart))
    }
    return this.#path
  }
}

export class PageNumbers {
  readonly #pages: Page[]
  #current = 0

  constructor(pages: Page[]) {
    this.#pages = pages
  }

  /** The number of the page that contains a position. Call it with ascending positions. */
  at(position: number): number {
    while ((this.#pages[this.#current + 1]?.start ?? Number.POSITIVE_INFINITY) <= position) this.#current++
    return this.#pages[this.#current]?.number ?? 1
  }
}

interface Table extends Block {
  head: string
  /** It continues the table of the page before, and has its header. */
  isContinued: boolean
}

export class TableHeaders {
  readonly #tables: Table[] = []
  #current = 0

  constructor({ text, blocks = [] }: ChunkSource) {
    for (const block of blocks.filter(({ kind }) => kind === 'table')) {
      const before = this.#tables.at(-1)
      const head = readHeaderRow(text, block)
      const isContinued =
        before !== undefined &&
        isEmptyRow(head) &&
        countColumns(head) === countColumns(before.head) &&
        text.slice(before.end, block.start).trim() === ''
      this.#tables.push({ ...block, head: isContinued ? before.head : head, isContinued })
    }
  }

  /** The header of the table around a position, if it is above it. Call it with ascending positions. */
  at(position: number): { tableHead?: string } {
    while ((this.#tables[this.#current]?.end ?? Number.POSITIVE_INFINITY) <= position) this.#current++
    const table = this.#tables[this.#current]
    if (!table || table.start > position || isEmptyRow(table.head)) return {}
    if (table.start === position && !table.isContinued) return {}
    return { tableHead: table.head }
  }
}

function lineEnd(text: string, position: number): number {
  const end = text.indexOf('\n', position)
  return end === -1 ? text.length : end
}

/** The first row, without the marks of a list or quote around the table. A very long one ends after a cell. */
function readHeaderRow(text: string, { start, end }: Block): string {
  const lineEnd = text.indexOf('\n', start)
  const row = text.slice(start, lineEnd === -1 ? end : Math.min(lineEnd, end)).replace(/^[\s>*+\-\d.)]*(?=\|)/, '')
  if (row.length <= maxHeaderLength) return row.trimEnd()
  const cells = row.lastIndexOf('|', maxHeaderLength)
  return row.slice(0, cells > 0 ? cells + 1 : maxHeaderLength)
}

const isEmptyRow = (row: string): boolean => /^[|\s]*$/.test(row)

const countColumns = (row: string): number => row.split(/(?<!\\)\|/).length
