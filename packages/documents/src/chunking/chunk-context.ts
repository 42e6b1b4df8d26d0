import type { Block, ChunkSource, Heading, Page } from '../document.ts'

const maxHeaderLength = 1_000

/** Finds the headings above positions of a document. */
export class HeadingPaths {
  readonly #headings: Heading[]
  #next = 0
  #open: Heading[] = []
  #path: string[] = []

  constructor(headings: Heading[]) {
    this.#headings = headings
  }

  /** The titles of the headings above a position. Call it with ascending positions. */
  at(position: number): string[] {
    for (; (this.#headings[this.#next]?.start ?? Number.POSITIVE_INFINITY) <= position; this.#next++) {
      const heading = this.#headings[this.#next]
      if (!heading) break
      this.#open = [...this.#open.filter(({ level }) => level < heading.level), heading]
      this.#path = this.#open.map(({ title }) => title)
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
      const head = headOf(text, block)
      const isContinued =
        before !== undefined &&
        isEmptyRow(head) &&
        columnsOf(head) === columnsOf(before.head) &&
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

/** The first row, without the marks of a list or quote around the table. A very long one ends after a cell. */
function headOf(text: string, { start, end }: Block): string {
  const lineEnd = text.indexOf('\n', start)
  const row = text.slice(start, lineEnd === -1 ? end : Math.min(lineEnd, end)).replace(/^[\s>*+\-\d.)]*(?=\|)/, '')
  if (row.length <= maxHeaderLength) return row.trimEnd()
  const cells = row.lastIndexOf('|', maxHeaderLength)
  return row.slice(0, cells > 0 ? cells + 1 : maxHeaderLength)
}

const isEmptyRow = (row: string): boolean => /^[|\s]*$/.test(row)

const columnsOf = (row: string): number => row.split(/(?<!\\)\|/).length
