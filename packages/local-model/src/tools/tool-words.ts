import { toTerm } from '../rank/question.ts'
import { detectLanguage, isStopWord, type Language } from '../text/language.ts'
import { eachWord } from '../text/words.ts'

/** The words of an identifier or a text: the same three for `getOrderStatus` and `get_order_status`. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  const spaced = text.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
  eachWord(spaced, 0, spaced.length, (word) => words.push(word.toLowerCase()))
  return words
}

/** The stems of a text without stop words. English ones are always removed: tools are often described in English. */
export function termsIn(text: string): Set<string> {
  const language = detectLanguage(text)
  const terms = new Set<string>()
  for (const word of splitWords(text)) {
    if (!isStopWord(word, language) && !isStopWord(word, 'english')) terms.add(toTerm(word, language))
  }
  return terms
}

/** All stems of a text, including stop words. */
export interface TextTerms {
  language: Language
  terms: Set<string>
}

export function allTermsIn(text: string, language: Language = detectLanguage(text)): TextTerms {
  return { language, terms: new Set(splitWords(text).map((word) => toTerm(word, language))) }
}

/** Whether a text contains all of the words, in any inflection. */
export const containsWords = (words: string[], { terms, language }: TextTerms): boolean =>
  words.length > 0 && words.every((word) => terms.has(toTerm(word, language)))
