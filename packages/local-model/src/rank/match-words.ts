import { isSpacelessWord } from '../text/words.ts'
import { type Question, termOf } from './question.ts'

/** Which term of the question a word stands for, and how surely: 1 for the same stem, less for a relative. */
interface Match {
  term: number
  strength: number
}

export type MatchWord = (word: string) => Match | null

const shortestRelative = 4
const shortestPart = 5
/** How much of the longer word two relatives share at least. */
const leastAlike = 0.4
const relativeStrength = 0.5

/** Compares words with the question's terms. Texts repeat their words, so each is compared once. */
export function wordMatcher(question: Question): MatchWord {
  const exact = new Map(question.terms.map((term, place) => [term, { term: place, strength: 1 }]))
  const known = new Map<string, Match | null>()
  return (word) => {
    // Pairs of characters are as they are, and too many to remember.
    if (isSpacelessWord(word)) return exact.get(word) ?? null
    let match = known.get(word)
    if (match === undefined) {
      const term = termOf(word, question.language)
      match = exact.get(term) ?? relativeOf(term, question.terms)
      known.set(word, match)
    }
    return match
  }
}

function relativeOf(word: string, terms: string[]): Match | null {
  if (word.length < shortestRelative) return null
  let closest = -1
  let most = 0
  terms.forEach((term, place) => {
    const likeness = alike(word, term)
    if (likeness < leastAlike || likeness <= most) return
    closest = place
    most = likeness
  })
  return closest === -1 ? null : { term: closest, strength: most * relativeStrength }
}

/** "conquer" and "conquest" begin alike; "Fläche" is a part of "Waldfläche". 1 is the same word. */
function alike(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < shortestRelative) return 0
  let shared = 0
  while (shared < short.length && short.charCodeAt(shared) === long.charCodeAt(shared)) shared++
  const begin = shared >= shortestRelative ? shared / long.length : 0
  const isPart = short.length >= shortestPart && begin < 1 && long.includes(short)
  return isPart ? Math.min(1, short.length / long.length + 0.15) : begin
}
