import { apart } from '../detach-substring.ts'
import { tokensOfRun } from './byte-pairs.ts'
import { RunReader } from './pretokenizer.ts'

// Merging a run costs its length squared, so a longer one is counted in parts: a little too high, never too low.
const longestRun = 64
const mostKnownRuns = 200_000
/** So few that looking at the clock is not noticed. */

const knownRuns = new Map<string, number>()

/** How many tokens of the o200k_base encoding the text has. */
export function countTokens(text: string): number {
  let total = 0
  eachRun(text, (start, end) => {
    total += known(text.slice(start, end))
  })
  return total
}

/** Where the runs of a text begin and how many tokens stand before each, so that any span is counted at once. */
export interface TokenMap {
  text: string
  starts: Int32Array
  before: Int32Array
  /** Whether a run was so long that it was cut; spans that begin within it are counted a little differently. */
  hasCutRuns: boolean
}

export function mapTokens(text: string): TokenMap {
  let starts = new Int32Array(Math.ceil(text.length / 4) + 16)
  let before = new Int32Array(starts.length)
  let count = 0
  let total = 0
  const hasCutRuns = eachRun(text, (start, end) => {
    if (count + 2 > starts.length) {
      starts = grown(starts)
      before = grown(before)
    }
    starts[count] = start
    before[count++] = total
    total += known(text.slice(start, end))
  })
  starts[count] = text.length
  before[count++] = total
  return { text, starts: starts.subarray(0, count), before: before.subarray(0, count), hasCutRuns }
}

/** The tokens of a span that neither begins nor ends with white space: as many as `countTokens` finds in its text. */
export function tokensBetween(map: TokenMap, start: number, end: number): number {
  const first = runAt(map, start)
  const last = runAt(map, end)
  // A run that loses its beginning may join with the run after it, so the two are counted anew.
  const whole = map.starts[first] === start ? first : first + 2
  if (whole >= last) return countTokens(map.text.slice(start, end))
  const head = whole === first ? 0 : countTokens(map.text.slice(start, map.starts[whole]))
  const lastStart = map.starts[last] ?? 0
  const tail = end > lastStart ? countTokens(map.text.slice(lastStart, end)) : 0
  return head + (map.before[last] ?? 0) - (map.before[whole] ?? 0) + tail
}

/** The index of the run that holds a position. */
export function runAt(map: TokenMap, position: number): number {
  let low = 0
  let high = map.starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((map.starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

function known(run: string): number {
  const count = knownRuns.get(run)
  if (count !== undefined) return count
  if (knownRuns.size >= mostKnownRuns) knownRuns.clear()
  const counted = tokensOfRun(run)
  knownRuns.set(apart(run), counted)
  return counted
}

/** Visits the runs of a text, the long ones in parts, and tells whether there were any such. */
function eachRun(text: string, visit: (start: number, end: number) => void): boolean {
  const reader = new RunReader(text)
  let hasCutRuns = false
  for (let start = 0; start < text.length; ) {
    const end = reader.end(start)
    if (end - start <= longestRun) visit(start, end)
    else {
      eachPart(text, start, end, visit)
      hasCutRuns = true
    }
    start = end
  }
  return hasCutRuns
}

function eachPart(text: string, start: number, end: number, visit: (start: number, end: number) => void): void {
  for (let partStart = start; partStart < end; ) {
    let partEnd = Math.min(partStart + longestRun, end)
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
