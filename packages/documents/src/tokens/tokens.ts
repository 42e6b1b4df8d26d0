import { detachSubstring } from '../detach-substring.ts'
import { countByBytePairs } from './byte-pairs.ts'
import { PreTokenizer } from './pretokenizer.ts'

// Merging costs the square of the length, so longer pre-tokens are counted in parts: slightly too high, never too low.
const maxPreTokenLength = 64
const maxCachedCounts = 200_000

/** Cleared when it is full. A lookup takes 73 ns; in an LRU cache it takes 274 ns, more than all the rest of counting. */
const cachedCounts = new Map<string, number>()

/** The number of o200k_base tokens of a text. */
export function countTokens(text: string): number {
  let total = 0
  eachPreToken(text, (start, end) => {
    total += cachedCount(text.slice(start, end))
  })
  return total
}

/** The start of each pre-token and the number of tokens before it, to count the tokens of any span quickly. */
export interface TokenMap {
  text: string
  starts: Int32Array
  before: Int32Array
  /** Some pre-tokens were counted in parts, so counts of spans that start inside them are approximate. */
  hasSplitPreTokens: boolean
}

export function mapTokens(text: string): TokenMap {
  let starts = new Int32Array(Math.ceil(text.length / 4) + 16)
  let before = new Int32Array(starts.length)
  let count = 0
  let total = 0
  const hasSplitPreTokens = eachPreToken(text, (start, end) => {
    if (count + 2 > starts.length) {
      starts = grown(starts)
      before = grown(before)
    }
    starts[count] = start
    before[count++] = total
    total += cachedCount(text.slice(start, end))
  })
  starts[count] = text.length
  before[count++] = total
  return { text, starts: starts.subarray(0, count), before: before.subarray(0, count), hasSplitPreTokens }
}

/** The same as `countTokens(text.slice(start, end))`, for a span without white space at its ends. */
export function tokensBetween(map: TokenMap, start: number, end: number): number {
  const first = preTokenAt(map, start)
  const last = preTokenAt(map, end)
  // A pre-token without its start may join the next one, so both are counted again.
  const whole = map.starts[first] === start ? first : first + 2
  if (whole >= last) return countTokens(map.text.slice(start, end))
  const head = whole === first ? 0 : countTokens(map.text.slice(start, map.starts[whole]))
  const lastStart = map.starts[last] ?? 0
  const tail = end > lastStart ? countTokens(map.text.slice(lastStart, end)) : 0
  return head + (map.before[last] ?? 0) - (map.before[whole] ?? 0) + tail
}

/** The index of the pre-token that contains a position. */
export function preTokenAt(map: TokenMap, position: number): number {
  let low = 0
  let high = map.starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((map.starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

function cachedCount(preToken: string): number {
  const cached = cachedCounts.get(preToken)
  if (cached !== undefined) return cached
  if (cachedCounts.size >= maxCachedCounts) cachedCounts.clear()
  const count = countByBytePairs(preToken)
  cachedCounts.set(detachSubstring(preToken), count)
  return count
}

/** Visits the pre-tokens of a text, long ones in parts. Returns whether there were long ones. */
function eachPreToken(text: string, visit: (start: number, end: number) => void): boolean {
  const reader = new PreTokenizer(text)
  let hasSplitPreTokens = false
  for (let start = 0; start < text.length; ) {
    const end = reader.end(start)
    if (end - start <= maxPreTokenLength) visit(start, end)
    else {
      eachPart(text, start, end, visit)
      hasSplitPreTokens = true
    }
    start = end
  }
  return hasSplitPreTokens
}

function eachPart(text: string, start: number, end: number, visit: (start: number, end: number) => void): void {
  for (let partStart = start; partStart < end; ) {
    let partEnd = Math.min(partStart + maxPreTokenLength, end)
    if (partEnd < end && isLowSurrogate(text.charCodeAt(partEnd))) partEnd--
    visit(partStart, partEnd)
    partStart = partEnd
  }
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
