import { isSpacelessWord } from '../text/words.ts'
import { type Question, termOf } from './question.ts'

/** The term of the question that a word matches: strength 1 for the same stem, less for a related word. */
interface Match {
  term: number
  strength: number
}

export type MatchWord = (word: string) => Match | null

const minRelatedLength = 4
const minPartLength = 5
/** Related words share at least this much of the longer one. */
const minSimilarity = 0.4
const relatedStrength = 0.5

/** Matches words with the question's terms. Texts repeat words, so results are cached for one question. */
export function wordMatcher(question: Question): MatchWord {
  const exact = new Map(question.terms.map((term, index) => [term, { term: index, strength: 1 }]))
  const cache = new Map<string, Match | null>()
  return (word) => {
    // Character pairs need no stemming, and there are too many to cache.
    if (isSpacelessWord(word)) return exact.get(word) ?? null
    let match = cache.get(word)
    if (match === undefined) {
      const term = termOf(word, question.language)
      match = exact.get(term) ?? relatedTerm(term, question.terms)
      cache.set(word, match)
    }
    return match
  }
}

function relatedTerm(word: string, terms: string[]): Match | null {
  if (word.length < minRelatedLength) return null
  let closest = -1
  let best = 0
  terms.forEach((term, index) => {
    const score = similarity(word, term)
    if (score < minSimilarity || score <= best) return
    closest = index
    best = score
  })
  return closest === -1 ? null : { term: closest, strength: best * relatedStrength }
}

/** "conquer" and "conquest" share a prefix; "Fläche" is a part of "Waldfläche". 1 is the same word. */
function similarity(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < minRelatedLength) return 0
  let shared = 0
  while (shared < short.length && short.charCodeAt(shared) === long.charCodeAt(shared)) shared++
  const begin = shared >= minRelatedLength ? shared / long.length : 0
  const isPart = short.length >= minPartLength && begin < 1 && long.includes(short)
  return isPart ? Math.min(1, short.length / long.length + 0.15) : begin
}
