import { eachPair, type QueryWord, stemOf, termOf } from './analyse.ts'
import { Heap } from './heap.ts'
import { eachPlace, eachRun, foldMarks } from './words.ts'

/** Finds the words of a query in the parts of a passage, as they are written there: "Filters" for "filter". */
export type WordMatcher = (parts: readonly string[], language: number) => string[]

/** `words` are what the query was analysed to, `languages` those of the index. */
export function wordMatcher(query: string, words: readonly QueryWord[], languages: readonly number[]): WordMatcher {
  const asked = new Set(words.flatMap(({ terms }) => terms))
  const isAsked = (run: string, language: number) => asked.has(termOf(run, language))
  const mayBegin = beginnings(query, languages, isAsked)
  const answers = new Map<number, Map<string, boolean>>()

  return (parts, language) => {
    const found = new Set<string>()
    const known = answers.get(language) ?? new Map<string, boolean>()
    answers.set(language, known)
    for (const text of parts) {
      const lookAt = (start: number, end: number) => {
        const written = text.slice(start, end)
        let answer = known.get(written)
        if (answer === undefined) {
          answer = someRun(written, (run) => isAsked(run, language))
          known.set(written, answer)
        }
        if (answer) found.add(written)
      }
      if (eachAsciiWord(text, mayBegin, lookAt)) continue
      eachPlace(text, (start, end, isSpaceless) => {
        if (isSpaceless) for (const part of askedParts(text.slice(start, end), asked)) found.add(part)
        else if (mayBegin[beginningOf(text, start, end)]) lookAt(start, end)
      })
    }
    return [...found]
  }
}

function someRun(text: string, isSo: (run: string) => boolean): boolean {
  let answer = false
  eachRun(text, (run) => {
    answer ||= isSo(run)
  })
  return answer
}

/** Letters, and one more for whatever else. */
const letters = 27

/** The number of each ASCII character below that; the y of "lying" becomes the i of "lie". */
const letterOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase().replace('y', 'i')
  return /[a-z]/.test(character) ? character.charCodeAt(0) - 'a'.charCodeAt(0) + 1 : 0
})

const encoder = new TextEncoder()
const longestText = 1 << 15
/** What is read after its end, and belongs to no word. */
const padding = 32
const heap = new Heap()
const [textAt, wordsAt, lettersAt, marksAt] = [
  heap.allocate(longestText + padding),
  heap.allocate(8 * (longestText / 2)),
  heap.allocate(letterOf.length),
  heap.allocate(letters ** 3),
]
heap.bytes.set(letterOf, lettersAt)
let marked: Uint8Array | undefined

/** Calls `found` for the words that may be asked for; false where the text is not all ASCII, as most are, or too long. */
function eachAsciiWord(text: string, mayBegin: Uint8Array, found: (start: number, end: number) => void): boolean {
  const { length } = text
  if (length > longestText) return false
  // Only ASCII takes no more bytes than it has characters.
  if (encoder.encodeInto(text, heap.bytes.subarray(textAt, textAt + length)).read < length) return false
  heap.bytes.fill(0, textAt + length, textAt + length + padding)
  if (marked !== mayBegin) heap.bytes.set(mayBegin, marksAt)
  marked = mayBegin
  const count = heap.kernels.words(textAt, length, lettersAt, marksAt, wordsAt)
  const places = heap.words.subarray(wordsAt >>> 2, (wordsAt >>> 2) + 2 * count)
  for (let at = 0; at < 2 * count; at += 2) found(places[at] as number, places[at + 1] as number)
  return true
}

/** The number of the three letters that a word begins with. */
function beginningOf(text: string, start: number, end: number): number {
  const letterAt = (place: number) => (place < end ? (letterOf[text.charCodeAt(place)] ?? 0) : 0)
  return (letterAt(start) * letters + letterAt(start + 1)) * letters + letterAt(start + 2)
}

/** A word that begins with anything but two plain letters gets a closer look. */
const always = Uint8Array.from({ length: letters ** 3 }, (_, number) =>
  Number(number < letters ** 2 || Math.floor(number / letters) % letters === 0),
)
/** Stems as long as this keep the first three letters of their words, in every language; shorter ones may keep but two. */
const longStem = 4

/** By the number of its beginning: whether a word may be one of the query's. Most words need no closer look. */
function beginnings(
  query: string,
  languages: readonly number[],
  isAsked: (run: string, language: number) => boolean,
): Uint8Array {
  const mayBegin = always.slice()
  eachRun(query, (run) => {
    const asking = languages.filter((language) => isAsked(run, language))
    if (asking.length === 0) return
    const folded = foldMarks(run)
    const beginning = beginningOf(folded, 0, folded.length)
    const pair = beginning - (beginning % letters)
    mayBegin[pair] = 1
    if (asking.every((language) => stemOf(run, language).length >= longStem)) mayBegin[beginning] = 1
    else mayBegin.fill(1, pair, pair + letters)
  })
  return mayBegin
}

/** The stretches of a run without spaces that are made of what was asked for. */
function askedParts(run: string, asked: ReadonlySet<number>): string[] {
  const characters = [...run]
  const marked = characters.map(() => false)
  let places = 0
  eachPair(run.normalize('NFKC').toLowerCase(), (term, first, last) => {
    places = Math.max(places, last + 1)
    if (asked.has(term)) marked.fill(true, first, last + 1)
  })
  // Where characters were joined, nothing stands where it stood.
  if (places !== characters.length) return marked.includes(true) ? [run] : []
  const parts: string[] = []
  characters.forEach((character, at) => {
    if (!marked[at]) return
    if (marked[at - 1]) parts.push(`${parts.pop()}${character}`)
    else parts.push(character)
  })
  return parts
}
