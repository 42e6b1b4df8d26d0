import { eachBigram, hashTerm, type QueryWord } from '../analysis/analyse.ts'
import { eachToken, eachTokenSpan } from '../analysis/tokens.ts'
import type { Chunk } from '../search-index.ts'

/** Finds the words of a query in a passage, as they are spelled there: "Filters" for "filter". */
export type WordMatcher = (passage: Pick<Chunk, 'headings' | 'text'>, language: number) => string[]

export function wordMatcher(query: readonly QueryWord[]): WordMatcher {
  const wanted = new Set(query.flatMap(({ terms }) => terms))
  /** The words of the passages so far, by language. Passages of one search share most of their words. */
  const known = new Map<number, Map<string, boolean>>()

  return ({ headings, text }, language) => {
    const found = new Set<string>()
    const words = known.get(language) ?? new Map<string, boolean>()
    known.set(language, words)
    for (const part of [...headings, text]) {
      eachTokenSpan(part, (start, end, isSpaceless) => {
        const word = part.slice(start, end)
        if (isSpaceless) {
          for (const match of matchingParts(word, wanted)) found.add(match)
          return
        }
        let matches = words.get(word)
        if (matches === undefined) {
          matches = isWanted(word, language, wanted)
          words.set(word, matches)
        }
        if (matches) found.add(word)
      })
    }
    return [...found]
  }
}

/** A word can become several tokens when it is normalized. */
function isWanted(word: string, language: number, wanted: ReadonlySet<number>): boolean {
  let matches = false
  eachToken(word, (token) => {
    matches ||= wanted.has(hashTerm(token, language))
  })
  return matches
}

/** The parts of a run without spaces whose bigrams match. */
function matchingParts(run: string, wanted: ReadonlySet<number>): string[] {
  const characters = [...run]
  const isMatch = characters.map(() => false)
  let length = 0
  eachBigram(run.normalize('NFKC').toLowerCase(), (term, first, last) => {
    length = Math.max(length, last + 1)
    if (wanted.has(term)) isMatch.fill(true, first, last + 1)
  })
  // Normalizing joined characters, so positions do not correspond.
  if (length !== characters.length) return isMatch.includes(true) ? [run] : []
  const parts: string[] = []
  characters.forEach((character, at) => {
    if (!isMatch[at]) return
    if (isMatch[at - 1]) parts.push(`${parts.pop()}${character}`)
    else parts.push(character)
  })
  return parts
}
