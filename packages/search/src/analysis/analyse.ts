import { LRUCache } from 'lru-cache'
import { detachSubstring } from './detach-substring.ts'
import { functionWords, languages, unknownLanguage } from './languages.ts'
import { eachToken, foldDiacritics, joinedNames } from './tokens.ts'

/** Increase it when the same text gives other terms: stored terms are then computed again. */
export const analysisVersion = 2

/** A text as the keyword index sees it. A term is the hash of a stem. */
export interface AnalysedText {
  language: number
  /** The number of terms, with repetitions. */
  length: number
  /** Sorted, without repetitions. */
  terms: Uint32Array
  /** Parallel to `terms`; at most 255. */
  counts: Uint8Array
}

const maxCachedTerms = 50_000
/** By language, created on first use: a cache takes a megabyte before it has an entry. */
const termCaches: LRUCache<string, number>[] = []

/** The hash of a word's stem. Stemming is slow and words repeat, so hashes are cached. */
export function hashTerm(word: string, language: number): number {
  termCaches[language] ??= new LRUCache({ max: maxCachedTerms })
  const cache = termCaches[language]
  let term = cache.get(word)
  if (term === undefined) {
    term = hash(foldDiacritics(languages[language]?.stem(word) ?? word))
    cache.set(detachSubstring(word), term)
  }
  return term
}

/** FNV-1a with the final mix of MurmurHash3, because FNV alone leaves the upper bits of short words alike. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

const isHan = /\p{sc=Han}/u

/** In scripts without spaces the terms are character bigrams, and each ideograph by itself. */
export function eachBigram(token: string, visit: (term: number, first: number, last: number) => void): void {
  const characters = [...foldDiacritics(token)]
  characters.forEach((character, at) => {
    const next = characters[at + 1]
    if (next !== undefined) visit(hash(character + next), at, at + 1)
    if (characters.length === 1 || isHan.test(character)) visit(hash(character), at, at)
  })
}

interface Tokens {
  words: string[]
  spaceless: string[]
  /** Distinct function words by language. Repetitions do not count: "Los Angeles" is not Spanish. */
  votes: Uint16Array
}

function tokenize(text: string): Tokens {
  const tokens: Tokens = { words: [], spaceless: [], votes: new Uint16Array(languages.length) }
  const counted = new Set<string>()
  eachToken(text, (token, isSpaceless) => {
    if (isSpaceless) {
      tokens.spaceless.push(token)
      return
    }
    tokens.words.push(token)
    let bits = functionWords.get(token)
    if (bits === undefined || counted.has(token)) return
    counted.add(token)
    for (let language = 0; bits; language++, bits >>>= 1) {
      if (bits & 1) tokens.votes[language] = (tokens.votes[language] as number) + 1
    }
  })
  for (const name of joinedNames(text)) tokens.words.push(name)
  return tokens
}

/** The language with the most votes, or undefined if two share the first place or all have less than `minVotes`. */
function winner(votes: Uint16Array, among: readonly number[], minVotes: number): number | undefined {
  let best: number | undefined
  let highest = minVotes - 1
  let isTie = false
  for (const language of among) {
    const count = votes[language] as number
    if (count > highest) {
      best = language
      highest = count
      isTie = false
    } else if (count === highest) isTie = true
  }
  return isTie ? undefined : best
}

const allLanguages = languages.map((_, number) => number)
/** A single function word may be part of a name or a quotation. */
const minPassageVotes = 2

/** `fallback` is the language of its document or source, for passages that are too short to tell. */
export function analysePassage(text: string, fallback: number = unknownLanguage): AnalysedText {
  const { words, spaceless, votes } = tokenize(text)
  const language = winner(votes, allLanguages, minPassageVotes) ?? fallback
  const terms: number[] = []
  for (const word of words) terms.push(hashTerm(word, language))
  for (const token of spaceless) eachBigram(token, (term) => terms.push(term))
  return { language, ...countTerms(Uint32Array.from(terms)) }
}

/** The name of the language of a text by its function words; null if there are none, or as many of two languages. */
export function detectLanguageName(text: string): string | null {
  const language = winner(tokenize(text).votes, allLanguages, 1)
  return language === undefined ? null : (languages[language]?.name ?? null)
}

function countTerms(all: Uint32Array): Omit<AnalysedText, 'language'> {
  all.sort()
  const terms = new Uint32Array(all.length)
  const counts = new Uint8Array(all.length)
  let last = -1
  for (const term of all) {
    if (last < 0 || terms[last] !== term) terms[++last] = term
    if ((counts[last] as number) < 255) counts[last] = (counts[last] as number) + 1
  }
  return { length: all.length, terms: terms.slice(0, last + 1), counts: counts.slice(0, last + 1) }
}

/** A word of a query with its terms, one for each language it may be in. */
export interface QueryWord {
  terms: number[]
  /** How often the query has it. */
  weight: number
}

/**
 * `indexLanguages` are the languages of the index: a query that is too short to tell its own is stemmed in each of them.
 * Function words are left out unless there is nothing else.
 */
export function analyseQuery(text: string, indexLanguages: readonly number[]): QueryWord[] {
  const { words, spaceless, votes } = tokenize(text)
  const detected = winner(votes, indexLanguages, 1)
  const chosen = detected === undefined ? indexLanguages : [detected]
  const meaningful = words.filter((word) => !chosen.some((language) => isFunctionWord(word, language)))
  const byKey = new Map<string | number, QueryWord>()
  const add = (key: string | number, terms: () => number[]) => {
    const known = byKey.get(key)
    if (known) known.weight++
    else byKey.set(key, { terms: terms(), weight: 1 })
  }
  for (const word of meaningful.length + spaceless.length > 0 ? meaningful : words) {
    add(word, () => [...new Set(chosen.map((language) => hashTerm(word, language)))])
  }
  for (const token of spaceless) eachBigram(token, (term) => add(term, () => [term]))
  return [...byKey.values()]
}

const isFunctionWord = (word: string, language: number): boolean =>
  ((functionWords.get(word) ?? 0) & (1 << language)) !== 0
