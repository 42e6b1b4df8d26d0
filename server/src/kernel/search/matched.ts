import { eachPair, type QueryWord, stemOf, termOf } from './analyse.ts'
import { eachPlace, eachRun, foldMarks } from './words.ts'

/** Finds the words of a query in a passage, as they are written there: "Filters" for "filter". */
export type WordMatcher = (text: string, language: number) => string[]

/** `words` are what the query was analysed to, `languages` those of the index. */
export function wordMatcher(query: string, words: readonly QueryWord[], languages: readonly number[]): WordMatcher {
  const asked = new Set(words.flatMap(({ terms }) => terms))
  const isAsked = (run: string, language: number) => asked.has(termOf(run, language))
  const mayBegin = beginnings(query, languages, isAsked)
  const answers = new Map<number, Map<string, boolean>>()

  return (text, language) => {
    const found = new Set<string>()
    const known = answers.get(language) ?? new Map<string, boolean>()
    answers.set(language, known)
    const lookAt = (start: number, end: number) => {
      const written = text.slice(start, end)
      let answer = known.get(written)
      if (answer === undefined) {
        answer = someRun(written, (run) => isAsked(run, language))
        known.set(written, answer)
      }
      if (answer) found.add(written)
    }
    const bytes = asciiOf(text)
    if (bytes) eachAsciiWord(bytes, mayBegin, lookAt)
    else {
      eachPlace(text, (start, end, isSpaceless) => {
        if (isSpaceless) for (const part of askedParts(text.slice(start, end), asked)) found.add(part)
        else if (mayBegin[beginningOf(text, start, end)]) lookAt(start, end)
      })
    }
    return [...found]
  }
}

const encoder = new TextEncoder()
const encoded = new Uint8Array(1 << 16)

/** The bytes of a text that is all ASCII, as most are; they stand until the next call. It is sooner gone through than the text. */
function asciiOf(text: string): Uint8Array | null {
  if (text.length > encoded.length) return null
  const { written } = encoder.encodeInto(text, encoded)
  return written === text.length ? encoded.subarray(0, written) : null
}

function someRun(text: string, isSo: (run: string) => boolean): boolean {
  let answer = false
  eachRun(text, (run) => {
    answer ||= isSo(run)
  })
  return answer
}

/** Of each ASCII character: 0 if it stands in no word, 1 if it is no letter, else more; the y of "lying" becomes the i of "lie". */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase().replace('y', 'i')
  if (/[a-z]/.test(character)) return character.charCodeAt(0) - 'a'.charCodeAt(0) + 2
  return /\d/.test(character) ? 1 : 0
})
/** Letters, and one more for whatever else. */
const letters = 27

function eachAsciiWord(bytes: Uint8Array, mayBegin: Uint8Array, found: (start: number, end: number) => void): void {
  const { length } = bytes
  for (let at = 0; at < length; at++) {
    const start = at
    while (at < length && kinds[bytes[at] as number] !== 0) at++
    if (at === start) continue
    const first = (kinds[bytes[start] as number] as number) - 1
    const second = at - start > 1 ? (kinds[bytes[start + 1] as number] as number) - 1 : 0
    const third = at - start > 2 ? (kinds[bytes[start + 2] as number] as number) - 1 : 0
    if (mayBegin[(first * letters + second) * letters + third]) found(start, at)
  }
}

/** The number of the three letters that a word begins with. */
function beginningOf(text: string, start: number, end: number): number {
  const first = letterOf(text.charCodeAt(start))
  const second = end - start > 1 ? letterOf(text.charCodeAt(start + 1)) : 0
  const third = end - start > 2 ? letterOf(text.charCodeAt(start + 2)) : 0
  return (first * letters + second) * letters + third
}

const letterOf = (code: number): number => (code < 128 && kinds[code] !== 0 ? (kinds[code] as number) - 1 : 0)

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
