import { detachSubstring } from './detach-substring.ts'
import { functionWords, languages, unknownLanguage } from './languages.ts'
import { eachRun, foldMarks } from './words.ts'

/** Goes up whenever the same text would give other terms, so that stored ones are made anew. */
export const analysisVersion = 1

/** A text as the keyword index sees it: hashes of its stems and how often each occurs. */
export interface Analysed {
  language: number
  /** How many terms the text has, repeated ones included. */
  length: number
  /** Sorted, each once. */
  terms: Uint32Array
  /** Beside `terms`; 255 stands for that and more. */
  counts: Uint8Array
}

const mostCachedStems = 100_000
const stems = languages.map(() => new Map<string, number>())

export const stemOf = (word: string, language: number): string => foldMarks(languages[language]?.stem(word) ?? word)

/** The hash of a word's stem. Words repeat, so most of the work is a look-up. */
export function termOf(word: string, language: number): number {
  const cache = stems[language] as Map<string, number>
  let term = cache.get(word)
  if (term === undefined) {
    term = hash(stemOf(word, language))
    if (cache.size >= mostCachedStems) cache.clear()
    cache.set(detachSubstring(word), term)
  }
  return term
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return scramble(value)
}

/** Neighbours in, strangers out: spreads a hash over all of its bits. */
function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const isHan = /\p{sc=Han}/u

/** Pairs of neighbouring characters find words in scripts without spaces; an ideograph is a word of its own too. */
export function eachPair(run: string, found: (term: number, first: number, last: number) => void): void {
  const characters = [...foldMarks(run)]
  characters.forEach((character, at) => {
    const next = characters[at + 1]
    if (next !== undefined) found(hash(character + next), at, at + 1)
    if (characters.length === 1 || isHan.test(character)) found(hash(character), at, at)
  })
}

interface Runs {
  words: string[]
  spaceless: string[]
  /** By language: how many of its function words there are. A repeated one counts once, else "Los Angeles" is Spanish. */
  votes: Uint16Array
}

function runsOf(text: string): Runs {
  const runs: Runs = { words: [], spaceless: [], votes: new Uint16Array(languages.length) }
  const counted = new Set<string>()
  eachRun(text, (run, isSpaceless) => {
    if (isSpaceless) {
      runs.spaceless.push(run)
      return
    }
    runs.words.push(run)
    let having = functionWords.get(run)
    if (having === undefined || counted.has(run)) return
    counted.add(run)
    for (let language = 0; having; language++, having >>>= 1) {
      if (having & 1) runs.votes[language] = (runs.votes[language] as number) + 1
    }
  })
  return runs
}

/** The language with the most function words among those asked for, or undefined where two are level or all below `least`. */
function voted(votes: Uint16Array, among: readonly number[], least: number): number | undefined {
  let best: number | undefined
  let most = least - 1
  let level = false
  for (const language of among) {
    const count = votes[language] as number
    if (count > most) {
      best = language
      most = count
      level = false
    } else if (count === most) level = true
  }
  return level ? undefined : best
}

const everyLanguage = languages.map((_, number) => number)
/** One function word may be a name or a quotation. */
const fewestVotes = 2

/** The terms of a passage. `fallback` is the language of its neighbours, for passages that do not tell their own. */
export function analysePassage(text: string, fallback: number = unknownLanguage): Analysed {
  const { words, spaceless, votes } = runsOf(text)
  const language = voted(votes, everyLanguage, fewestVotes) ?? fallback
  const found: number[] = []
  for (const word of words) found.push(termOf(word, language))
  for (const run of spaceless) eachPair(run, (term) => found.push(term))
  return { language, ...count(Uint32Array.from(found)) }
}

function count(found: Uint32Array): Omit<Analysed, 'language'> {
  found.sort()
  const terms = new Uint32Array(found.length)
  const counts = new Uint8Array(found.length)
  let last = -1
  for (const term of found) {
    if (last < 0 || terms[last] !== term) terms[++last] = term
    if ((counts[last] as number) < 255) counts[last] = (counts[last] as number) + 1
  }
  return { length: found.length, terms: terms.slice(0, last + 1), counts: counts.slice(0, last + 1) }
}

/** A word of a query: the terms that it may be in the index, and how often it was asked for. */
export interface QueryWord {
  terms: number[]
  weight: number
}

/**
 * The words of a query. `present` are the languages of the index: a query that does not tell its own is stemmed in each
 * of them. Function words go unless the query has nothing else.
 */
export function analyseQuery(text: string, present: readonly number[]): QueryWord[] {
  const { words, spaceless, votes } = runsOf(text)
  const told = voted(votes, present, 1)
  const chosen = told === undefined ? present : [told]
  const meaningful = words.filter((word) => !chosen.some((language) => isFunctionWord(word, language)))
  const found = new Map<string | number, QueryWord>()
  const add = (key: string | number, terms: () => number[]) => {
    const known = found.get(key)
    if (known) known.weight++
    else found.set(key, { terms: terms(), weight: 1 })
  }
  for (const word of meaningful.length + spaceless.length > 0 ? meaningful : words) {
    add(word, () => [...new Set(chosen.map((language) => termOf(word, language)))])
  }
  for (const run of spaceless) eachPair(run, (term) => add(term, () => [term]))
  return [...found.values()]
}

const isFunctionWord = (word: string, language: number): boolean =>
  ((functionWords.get(word) ?? 0) & (1 << language)) !== 0
