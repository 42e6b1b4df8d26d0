import { eachWord, folded, isSpacelessWord } from '../text/words.ts'
import { type Question, toTerm } from './question.ts'
import { cosine, type Embed } from './similarity.ts'

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
export function wordMatcher(question: Question, synonyms: ReadonlyMap<string, Match> = new Map()): MatchWord {
  const exact = new Map(question.terms.map((term, index) => [term, { term: index, strength: 1 }]))
  const cache = new Map<string, Match | null>()
  return (word) => {
    // Character pairs need no stemming, and there are too many to cache.
    if (isSpacelessWord(word)) return exact.get(word) ?? null
    let match = cache.get(word)
    if (match === undefined) {
      const term = toTerm(word, question.language)
      match = exact.get(term) ?? stronger(synonyms.get(folded(word)), relatedTerm(term, question.terms))
      cache.set(word, match)
    }
    return match
  }
}

const stronger = (one: Match | undefined, other: Match | null): Match | null =>
  one && (!other || one.strength > other.strength) ? one : other

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

/** Words nearer than this have much the same meaning: "founded" and "established" 0.65, "patent" and "license" 0.19. */
const minSynonymSimilarity = 0.5
const synonymStrength = 0.8
const maxWords = 1500

/** The words of the passages that mean much the same as a term of the question. */
export async function synonymsIn(
  texts: readonly string[],
  { termWords }: Question,
  embed: Embed,
): Promise<Map<string, Match>> {
  const words = new Set<string>()
  for (const text of texts) {
    eachWord(text, 0, Math.min(text.length, 16_000), (word) => {
      if (word.length > 2 && words.size < maxWords && !/\d/.test(word)) words.add(folded(word))
    })
  }
  const vectors = await embed([...termWords, ...words])
  const termVectors = vectors.slice(0, termWords.length)
  const synonyms = new Map<string, Match>()
  for (const [index, word] of [...words].entries()) {
    const vector = vectors[termWords.length + index]
    let best: Match | null = null
    for (const [term, other] of termVectors.entries()) {
      if (!vector || /\d/.test(termWords[term] ?? '')) continue
      const near = cosine(vector, other)
      if (near >= minSynonymSimilarity && near * synonymStrength > (best?.strength ?? 0))
        best = { term, strength: near * synonymStrength }
    }
    if (best) synonyms.set(word, best)
  }
  return synonyms
}
