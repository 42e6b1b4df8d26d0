import type { ChunkSource } from '../document.ts'
import { countTokens, mapTokens, preTokenAt, type TokenMap, tokensBetween } from '../tokens/tokens.ts'
import { isSpace, skipSpace, skipSpaceBack } from '../whitespace.ts'
import { type Breaks, findBreaks, strengths } from './break-points.ts'
import { HeadingPaths, PageNumbers, TableHeaders } from './chunk-context.ts'
import { joinsToPrevious, splitLongWord } from './long-word-split.ts'

export interface ChunkOptions {
  /** Maximum number of tokens of a chunk. */
  size: number
  /** Maximum number of tokens that a chunk repeats from the end of the previous one. */
  overlap: number
}

/** A span of a document: `text.slice(start, end)`. */
export interface Chunk {
  start: number
  end: number
  /** The page of its first new word. 1 for formats without pages. */
  page: number
  /** The headings above its first new text that is not a heading, top level first. */
  headingPath: string[]
  tokens: number
  /** The header row of the table in which the chunk starts, if that row is in an earlier chunk. */
  tableHead?: string
}

const minChunkSize = 16

// A chunk must be at least this full to end at a heading.
const minFill = 0.33

/** Splits a document along its structure into chunks of at most `size` tokens that cover the whole text. */
export function chunkDocument(document: ChunkSource, { size, overlap }: ChunkOptions): Chunk[] {
  if (!(size >= minChunkSize)) throw new RangeError(`A chunk size must be at least ${minChunkSize} tokens.`)
  if (!(overlap >= 0 && overlap < size)) throw new RangeError('A chunk overlap must be at least 0 and below the size.')
  const builder = new ChunkBuilder(document, size, overlap)
  const headings = new HeadingPaths(document)
  const pages = new PageNumbers(document.pages)
  const tables = new TableHeaders(document)
  return Array.from(builder.spans(), ({ start, newStart, end, tokens }) => ({
    start,
    end,
    page: pages.at(newStart),
    headingPath: headings.above(newStart, end),
    tokens,
    ...tables.at(start),
  }))
}

interface Span {
  start: number
  /** Where the text starts that is not repeated from the previous chunk. */
  newStart: number
  end: number
  tokens: number
}

class ChunkBuilder {
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
    let newStart = start
    let next = 0
    while (newStart < this.#text.length) {
      while (this.#position(next) <= newStart) next++
      let chosen = this.#choose(start, next)
      if (chosen === -1 && start < newStart) {
        start = newStart
        chosen = this.#choose(start, next)
      }
      let cut = chosen === -1 ? this.#splitSentence(start, this.#size) : this.#position(chosen)
      let tokens = this.#exactTokens(start, cut)
      // Counts are approximate only where very long words were counted in parts.
      for (let size = this.#size - 1; tokens > this.#size; size--) {
        chosen = -1
        cut = this.#splitSentence(start, size)
        tokens = this.#exactTokens(start, cut)
      }
      const repeated = chosen === -1 ? this.#wordOverlapStart(start, cut) : this.#sentenceOverlapStart(start, chosen)
      yield { start, newStart, end: skipSpaceBack(this.#text, cut), tokens }
      newStart = skipSpace(this.#text, cut)
      start = skipSpace(this.#text, repeated)
    }
  }

  /** The index of the best break to end a chunk that starts at `start`, or -1 if even the next break is too far. */
  #choose(start: number, next: number): number {
    const last = this.#lastFitting(start, next)
    let best = last < next ? -1 : last
    for (let at = last - 1; at >= next; at--) {
      if (this.#strength(best) === strengths.sentence) break
      const tooSmall = this.#tokens(start, this.#position(at)) < this.#size * minFill
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
    for (let at = next; at < low; at++) if (this.#strength(at) >= strengths.question) return at
    return low
  }

  /** Where the overlap with a chunk starts: at a sentence of its last block. */
  #sentenceOverlapStart(start: number, chosen: number): number {
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

  /** Where the overlap starts with a chunk that ends inside a sentence: at a word. */
  #wordOverlapStart(start: number, end: number): number {
    let from = end
    for (let run = preTokenAt(this.#map, end) - 1; run >= 0; run--) {
      const at = this.#preTokenStart(run)
      if (at <= start || this.#tokens(at, end) > this.#overlap) break
      if (!isSpace(this.#text, at)) continue
      from = at
      // White space may be millions of pre-tokens long, so it is skipped at once.
      run = Math.min(run, preTokenAt(this.#map, skipSpaceBack(this.#text, at)))
    }
    return from
  }

  /** Where to split a sentence, row or line that is longer than a chunk: between words if possible. */
  #splitSentence(start: number, size: number): number {
    const first = preTokenAt(this.#map, start) + 1
    const run = this.#lastFittingPreToken(start, first, size)
    if (run < first) return splitLongWord(this.#text, start, this.#preTokenStart(first), size)
    const last = this.#preTokenStart(run)
    for (let back = run; back >= first && this.#preTokenStart(back) > (start + last) / 2; back--) {
      if (isSpace(this.#text, this.#preTokenStart(back))) return this.#preTokenStart(back)
    }
    for (let back = run; back >= first; back--) {
      if (!joinsToPrevious(this.#text, this.#preTokenStart(back))) return this.#preTokenStart(back)
    }
    return last
  }

  #lastFittingPreToken(start: number, first: number, size: number): number {
    let low = first - 1
    let high = this.#map.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#tokens(start, this.#preTokenStart(middle)) <= size) low = middle
      else high = middle - 1
    }
    return low
  }

  #preTokenStart(run: number): number {
    return this.#map.starts[run] ?? this.#text.length
  }

  #exactTokens(start: number, cut: number): number {
    if (!this.#map.hasSplitPreTokens) return this.#tokens(start, cut)
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
