import { analyseQuery, eachPair, termOf } from './analyse.ts'
import { eachPlace, eachRun, foldMarks } from './words.ts'

/** Finds the words of a query in passages, as they are written there: "Filters" for "filter". */
export function wordMatcher(query: string, languages: readonly number[]): (text: string, language: number) => string[] {
  const asked = new Set(analyseQuery(query, languages).flatMap(({ terms }) => terms))
  const isAsked = (run: string, language: number) => asked.has(termOf(run, language))
  const mayBegin = beginnings(query, (run) => languages.some((language) => isAsked(run, language)))
  const answers = new Map<number, Map<string, boolean>>()

  return (text, language) => {
    const found = new Set<string>()
    const known = answers.get(language) ?? new Map<string, boolean>()
    answers.set(language, known)
    eachPlace(text, (start, end, isSpaceless) => {
      if (!isSpaceless && !mayBegin(text, start, end)) return
      const written = text.slice(start, end)
      if (isSpaceless) for (const part of askedParts(written, asked)) found.add(part)
      else {
        let answer = known.get(written)
        if (answer === undefined) {
          answer = someRun(written, (run) => isAsked(run, language))
          known.set(written, answer)
        }
        if (answer) found.add(written)
      }
    })
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

const letterA = 'a'.charCodeAt(0)
const letterI = 'i'.charCodeAt(0)
const letterY = 'y'.charCodeAt(0)

/** A plain letter in lower case from 1 to 26, or 0. The y of "lying" becomes the i of "lie", so they are one. */
function plainLetter(code: number): number {
  const letter = code | 32
  if (letter < letterA || letter >= letterA + 26) return 0
  return (letter === letterY ? letterI : letter) - letterA + 1
}

/**
 * Whether a word that begins so may be one of the query's. A stem keeps the first two letters of its word, in all but a
 * few very short ones, so most words need no closer look; those that begin with anything but two plain letters get it.
 */
function beginnings(
  query: string,
  isAsked: (run: string) => boolean,
): (text: string, start: number, end: number) => boolean {
  const known = new Uint8Array(27 * 27)
  const pair = (text: string, start: number, end: number) => {
    const first = plainLetter(text.charCodeAt(start))
    const second = end - start > 1 ? plainLetter(text.charCodeAt(start + 1)) : 0
    return first === 0 || second === 0 ? 0 : first * 27 + second
  }
  known[0] = 1
  eachRun(query, (run) => {
    if (!isAsked(run)) return
    const folded = foldMarks(run)
    known[pair(folded, 0, folded.length)] = 1
  })
  return (text, start, end) => known[pair(text, start, end)] === 1
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
