import { type Breaks, findBreaks, strengths } from './break-points.ts'
import { cutWithinRun, joinsToPrevious } from './long-word-cut.ts'
import type { ParsedDocument } from '../document.ts'
import { HeadingPaths, PageNumbers, TableHeads } from './chunk-context.ts'
import { isSpace, skipSpace, skipSpaceBack } from '../whitespace.ts'
import { countTokens, mapTokens, runAt, type TokenMap, tokensBetween } from '../tokens/tokens.ts'

export interface ChunkOptions {
  /** The most tokens that a chunk has. */
  size: number
  /** How many tokens at the end of a chunk may be repeated at the beginning of the next. */
  overlap: number
}

/** What of a document chunking needs. */
export type ChunkSource = Pick<ParsedDocument, 'text' | 'pages' | 'headings' | 'blocks'>

/** A passage: exactly `text.slice(start, end)` of its document. */
export interface Chunk {
  start: number
  end: number
  /** The page on which its new words are; 1 where the format has no pages. */
  page: number
  /** The titles above its first new words, from the highest. */
  headingPath: string[]
  tokens: number
  /** The first row of the table in which it begins, when that row itself is in an earlier chunk. */
  tableHead?: string
}

const leastChunkSize = 16

// A heading ends a chunk that is at least this full.
const leastFill = 0.33

/** Cuts a document into passages that follow its structure, each of at most `size` tokens, together the whole text. */
export function chunkDocument(document: ChunkSource, { size, overlap }: ChunkOptions): Chunk[] {
  if (!(size >= leastChunkSize)) throw new RangeError(`A chunk size must be at least ${leastChunkSize} tokens.`)
  if (!(overlap >= 0 && overlap < size)) throw new RangeError('A chunk overlap must be at least 0 and below the size.')
  const packer = new Packer(document, size, overlap)
  const headings = new HeadingPaths(document.headings)
  const pages = new PageNumbers(document.pages)
  const tables = new TableHeads(document)
  return Array.from(packer.spans(), ({ start, fresh, end, tokens }) => ({
    start,
    end,
    page: pages.at(fresh),
    headingPath: headings.at(fresh),
    tokens,
    ...tables.at(start),
  }))
}

interface Span {
  start: number
  /** Where the words begin that are not in the chunk before. */
  fresh: number
  end: number
  tokens: number
}

class Packer {
  readonly #text: string
  readonly #size: number
  readonly #overlap: number
  readonly #map: TokenMap
  readonly #breaks: Breaks

  constructor(document: ChunkSource, size: number, overlap: number) {
    this.#text = document.text
    this.#size = size
    this.#overlap = overlap
    this.#map = mapTokens(document.text)
    this.#breaks = findBreaks(document, (start, end) => this.#tokens(start, end) <= size)
    this.#breaks.positions.push(document.text.length)
    this.#breaks.strengths.push(strengths.heading)
  }

  *spans(): Generator<Span> {
    let start = skipSpace(this.#text, 0)
    let fresh = start
    let next = 0
    while (fresh < this.#text.length) {
      while (this.#position(next) <= fresh) next++
      let chosen = this.#choose(start, next)
      if (chosen === -1 && start < fresh) {
        start = fresh
        chosen = this.#choose(start, next)
      }
      let cut = chosen === -1 ? this.#cutWithin(start, this.#size) : this.#position(chosen)
      let tokens = this.#exactTokens(start, cut)
      // Only where very long words were cut to be counted can it be more than it seemed.
      for (let size = this.#size - 1; tokens > this.#size; size--) {
        chosen = -1
        cut = this.#cutWithin(start, size)
        tokens = this.#exactTokens(start, cut)
      }
      const repeated = chosen === -1 ? this.#wordsBefore(start, cut) : this.#sentencesBefore(start, chosen)
      yield { start, fresh, end: skipSpaceBack(this.#text, cut), tokens }
      fresh = skipSpace(this.#text, cut)
      start = skipSpace(this.#text, repeated)
    }
  }

  /** The index of the best break to end at when a chunk begins at `start`, or -1 when not even the next one fits. */
  #choose(start: number, next: number): number {
    const last = this.#lastFitting(start, next)
    let best = last < next ? -1 : last
    for (let at = last - 1; at >= next; at--) {
      if (this.#strength(best) === strengths.sentence) break
      const tooSmall = this.#tokens(start, this.#position(at)) < this.#size * leastFill
      if (tooSmall && this.#strength(best) >= strengths.block) break
      if (this.#strength(at) > this.#strength(best)) best = at
    }
    return best
  }

  #lastFitting(start: number, next: number): number {
    let low = next - 1
    let high = this.#breaks.positions.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#tokens(start, this.#position(middle)) <= this.#size) low = middle
      else high = middle - 1
    }
    for (let at = next; at < low; at++) if (this.#strength(at) >= strengths.page) return at
    return low
  }

  /** Where to begin so that the end of a chunk is repeated: from the beginning of a sentence of its last block. */
  #sentencesBefore(start: number, chosen: number): number {
    const end = this.#position(chosen)
    let from = end
    let fromLine = end
    if (this.#strength(chosen) > strengths.block && this.#strength(chosen) !== strengths.pageWithin) return from
    for (let at = chosen - 1; at >= 0 && this.#position(at) > start; at--) {
      if (this.#tokens(this.#position(at), end) > this.#overlap) break
      const strength = this.#strength(at)
      if (strength === strengths.insideLine) fromLine = this.#position(at)
      else if (strength !== strengths.line) from = this.#position(at)
      if (strength >= strengths.block) break
    }
    return from < end ? from : fromLine
  }

  /** The same for a chunk that ends within a sentence: it is repeated from the beginning of a word. */
  #wordsBefore(start: number, end: number): number {
    let from = end
    for (let run = runAt(this.#map, end) - 1; run >= 0; run--) {
      const at = this.#runStart(run)
      if (at <= start || this.#tokens(at, end) > this.#overlap) break
      if (!isSpace(this.#text, at)) continue
      from = at
      // White space may be millions of runs long, so it is passed at once.
      run = Math.min(run, runAt(this.#map, skipSpaceBack(this.#text, at)))
    }
    return from
  }

  /** Where to cut when a single sentence, row or line is longer than a chunk: between words, or else anywhere. */
  #cutWithin(start: number, size: number): number {
    const first = runAt(this.#map, start) + 1
    const run = this.#lastFittingRun(start, first, size)
    if (run < first) return cutWithinRun(this.#text, start, this.#runStart(first), size)
    const most = this.#runStart(run)
    for (let back = run; back >= first && this.#runStart(back) > (start + most) / 2; back--) {
      if (isSpace(this.#text, this.#runStart(back))) return this.#runStart(back)
    }
    for (let back = run; back >= first; back--) {
      if (!joinsToPrevious(this.#text, this.#runStart(back))) return this.#runStart(back)
    }
    return most
  }

  #lastFittingRun(start: number, first: number, size: number): number {
    let low = first - 1
    let high = this.#map.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#tokens(start, this.#runStart(middle)) <= size) low = middle
      else high = middle - 1
    }
    return low
  }

  #runStart(run: number): number {
    return this.#map.starts[run] ?? this.#text.length
  }

  #exactTokens(start: number, cut: number): number {
    if (!this.#map.hasCutRuns) return this.#tokens(start, cut)
    return countTokens(this.#text.slice(start, skipSpaceBack(this.#text, cut)))
  }

  #tokens(from: number, to: number): number {
    const start = skipSpace(this.#text, from)
    const end = skipSpaceBack(this.#text, to)
    return end <= start ? 0 : tokensBetween(this.#map, start, end)
  }

  #position(index: number): number {
    return this.#breaks.positions[index] ?? this.#text.length
  }

  #strength(index: number): number {
    return this.#breaks.strengths[index] ?? strengths.inside
  }
}
