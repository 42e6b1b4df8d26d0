import { analyseQuery, eachPair, termOf } from './analyse.ts'
import { eachPlace, eachRun, foldMarks } from './words.ts'

/** Finds the words of a query in passages, as they are written there: "Filters" for "filter". */
export function wordMatcher(query: string, languages: readonly number[]): (text: string, language: number) => string[] {
  const asked = new Set(analyseQuery(query, languages).flatMap(({ terms }) => terms))
  const mayBegin = beginnings(query)

  const isAsked = (written: string, language: number): boolean => {
    let answer = false
    eachRun(written, (run) => {
      answer ||= asked.has(termOf(run, language))
    })
    return answer
  }

  return (text, language) => {
    const found = new Set<string>()
    const words = new Set<string>()
    eachPlace(text, (start, end, isSpaceless) => {
      if (!isSpaceless && !mayBegin(text.charCodeAt(start))) return
      const run = text.slice(start, end)
      if (isSpaceless) for (const part of askedParts(run, asked)) found.add(part)
      else if (!words.has(run)) {
        words.add(run)
        if (isAsked(run, language)) found.add(run)
      }
    })
    return [...found]
  }
}

/** Whether a word that begins so may be one of the query's. Stems keep their first letter, so most words need no look. */
function beginnings(query: string): (code: number) => boolean {
  const first = new Uint8Array(128)
  eachRun(query, (run) => {
    const code = foldMarks(run).charCodeAt(0)
    if (code < 128) first[code] = 1
  })
  return (code) => code >= 128 || first[code >= 65 && code <= 90 ? code + 32 : code] === 1
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
