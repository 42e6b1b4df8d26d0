import { hash } from 'node:crypto'
import { eachToken, foldDiacritics } from '@parley/search/tokens'

/** Only the beginning of a longer message is indexed. */
const maxCharacters = 200_000
const maxTermCharacters = 300_000

/** Terms have only these characters, so that neither database splits them. The beginning of a word begins its term. */
const encoded = (word: string): string =>
  /^[a-z0-9]+$/.test(word) ? word : `x${Buffer.from(word, 'utf8').toString('hex')}`

/** The words of a text without case and diacritics. Scripts without spaces are split into pairs of characters. */
export function indexTerms(text: string): string[] {
  const terms = new Set<string>()
  let size = 0
  const add = (word: string) => {
    const term = encoded(word)
    if (size > maxTermCharacters || terms.has(term)) return
    terms.add(term)
    size += term.length
  }
  eachToken(text.slice(0, maxCharacters), (token, isSpaceless) => {
    if (!isSpaceless) return add(foldDiacritics(token))
    const characters = [...foldDiacritics(token)]
    for (const [at, character] of characters.entries()) {
      add(character)
      if (at > 0) add(`${characters[at - 1]}${character}`)
    }
  })
  return [...terms]
}

export interface QueryWord {
  word: string
  /** In a script without spaces: it is anywhere in a run of characters. Otherwise it begins a word. */
  isSpaceless: boolean
}

export function parseQuery(query: string): QueryWord[] {
  const words: QueryWord[] = []
  eachToken(query, (token, isSpaceless) => void words.push({ word: foldDiacritics(token), isSpaceless }))
  return words
}

/** A term of the index, or the beginning of one. */
export interface QueryTerm {
  term: string
  isPrefix: boolean
}

export const queryTerms = (words: readonly QueryWord[]): QueryTerm[] =>
  words.flatMap(({ word, isSpaceless }) => {
    if (!isSpaceless) return { term: encoded(word), isPrefix: true }
    const characters = [...word]
    if (characters.length === 1) return { term: encoded(word), isPrefix: false }
    return characters
      .slice(1)
      .map((character, at) => ({ term: encoded(`${characters[at]}${character}`), isPrefix: false }))
  })

/**
 * Terms that every message has for its workspace and user, so that a search reads only their messages. No word begins
 * with `_`.
 */
export const workspaceTerm = (workspace: string): string => `_${workspace.toLowerCase()}`
export const userTerm = (user: string): string => `_u_${hash('sha256', user).slice(0, 16)}`
