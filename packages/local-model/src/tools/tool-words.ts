import { termOf } from '../rank/question.ts'
import { isSmallWord, type Language, languageOf } from '../text/language.ts'
import { eachWord } from '../text/words.ts'

/** The words of an identifier or a text: `getOrderStatus` and `get_order_status` have the same three. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  const spaced = text.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
  eachWord(spaced, 0, spaced.length, (word) => words.push(word.toLowerCase()))
  return words
}

/** What a text says, as stems. Both languages take their small words away, as tools are often described in English. */
export function termsIn(text: string): Set<string> {
  const language = languageOf(text)
  const terms = new Set<string>()
  for (const word of wordsOf(text)) {
    if (!isSmallWord(word, language) && !isSmallWord(word, 'english')) terms.add(termOf(word, language))
  }
  return terms
}

/** The stems of everything a text says, small words too. */
export interface Said {
  language: Language
  terms: Set<string>
}

export function saidIn(text: string, language: Language = languageOf(text)): Said {
  return { language, terms: new Set(wordsOf(text).map((word) => termOf(word, language))) }
}

/** Whether all of the words are said, in whatever inflection. */
export const isSaid = (words: string[], { terms, language }: Said): boolean =>
  words.length > 0 && words.every((word) => terms.has(termOf(word, language)))
