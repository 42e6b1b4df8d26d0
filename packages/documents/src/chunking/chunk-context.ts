import type { ChunkSource } from './chunk.ts'
import type { Block, Heading, Page } from '../document.ts'

const longestHead = 1_000

/** The titles above each position of a document. */
export class HeadingPaths {
  readonly #headings: Heading[]
  #next = 0
  #open: Heading[] = []
  #path: string[] = []

  constructor(headings: Heading[]) {
    this.#headings = headings
  }

  /** The titles above a position; positions are asked for in order. */
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

  /** The number of the page that holds a position; positions are asked for in order. */
  at(position: number): number {
    while ((this.#pages[this.#current + 1]?.start ?? Number.POSITIVE_INFINITY) <= position) this.#current++
    return this.#pages[this.#current]?.number ?? 1
  }
}

export class TableHeads {
  readonly #text: string
  readonly #tables: Block[]
  #current = 0

  constructor({ text, blocks = [] }: ChunkSource) {
    this.#text = text
    this.#tables = blocks.filter(({ kind }) => kind === 'table')
  }

  /** The first row of the table around a position, if it lies before it; positions are asked for in order. */
  at(position: number): { tableHead?: string } {
    while ((this.#tables[this.#current]?.end ?? Number.POSITIVE_INFINITY) <= position) this.#current++
    const table = this.#tables[this.#current]
    if (!table || table.start >= position) return {}
    const end = this.#text.indexOf('\n', table.start)
    return {
      tableHead: this.#text.slice(table.start, Math.min(end === -1 ? table.end : end, table.start + longestHead)),
    }
  }
}
