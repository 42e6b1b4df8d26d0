import type { Language } from './text/language.ts'

const english = {
  nothingFound: 'Nothing was found that could answer this question.',
  notAnswered: 'The passages that were found do not answer this question.',
  toolAnswered: (tools: string) => `The answer of ${tools}:`,
}

const german: typeof english = {
  nothingFound: 'Es wurde nichts gefunden, was diese Frage beantworten könnte.',
  notAnswered: 'Die gefundenen Stellen beantworten diese Frage nicht.',
  toolAnswered: (tools) => `Die Antwort von ${tools}:`,
}

/** The sentences of an answer that are not quotations. */
export const phrases = (language: Language): typeof english => (language === 'german' ? german : english)
