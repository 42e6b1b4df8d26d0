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

export class TableHeaders {
  readonly #text: string
  readonly #tables: Block[]
  #current = 0

  constructor({ text, blocks = [] }: ChunkSource) {
    this.#text = text
    this.#tables = blocks.filter(({ kind }) => kind === 'table')
  }

  /** The first row of the table around a position, if it is above it. Call it with ascending positions. */
  at(position: number): { tableHead?: string } {
    while ((this.#tables[this.#current]?.end ?? Number.POSITIVE_INFINITY) <= position) this.#current++
    const table = this.#tables[this.#current]
    if (!table || table.start >= position) return {}
    const end = this.#text.indexOf('\n', table.start)
    return {
      tableHead: this.#text.slice(table.start, Math.min(end === -1 ? table.end : end, table.start + maxHeaderLength)),
    }
  }
}
