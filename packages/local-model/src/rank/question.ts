import { isSmallWord, type Language, languageOf } from '../text/language.ts'
import { numberWords } from '../text/numbers.ts'
import { stem } from '../text/stems.ts'
import { eachWord, folded, isSpacelessWord } from '../text/words.ts'

/** What kind of thing would answer the question. */
export type Expected = 'number' | 'date' | 'name' | 'anything'

export interface Question {
  text: string
  language: Language
  expected: Expected
  /** The stems of the words that carry the meaning, each once, in the order they were written. */
  terms: string[]
  /** Every folded word of it, so that what it says already is not taken for the answer. */
  words: Set<string>
}

/** A question longer than this is a text; its beginning says what it is about. */
const longestQuestion = 4000
const mostTerms = 64

export function readQuestion(whole: string): Question {
  const text = whole.slice(0, longestQuestion)
  const language = languageOf(text)
  const terms = new Set<string>()
  const words = new Set<string>()
  const content = text.replace(chineseSmallWords, ' ')
  eachWord(content, 0, content.length, (word) => {
    words.add(folded(word))
    if (terms.size < mostTerms && !isSmallWord(word, language)) terms.add(termOf(word, language))
  })
  return { text, language, expected: expectedBy(text), terms: [...terms], words }
}

/** Question words and particles that no space sets apart from what is asked about. */
const chineseSmallWords = /为什么|什么|多少|怎么|怎样|如何|哪些|哪个|哪里|谁|哪|吗|呢|的|了|是/g

/** A word as it is compared: "five" is 5, "Städte" is "stadt". */
export function termOf(word: string, language: Language): string {
  const plain = folded(word)
  if (isSpacelessWord(word)) return plain
  return numberWords.get(plain) ?? stem(plain, language)
}

const questionCues: [Expected, RegExp[]][] = [
  [
    'number',
    [
      /\bhow (?:many|much|long|old|far|tall|large|big|high|deep|wide|often|fast|heavy)\b/,
      /\b(?:what|which) (?:percent|percentage|number|amount|share|price|cost|age|fraction|proportion)\b/,
      /\bwie ?(?:viele?n?|lange?|alt|weit|hoch|groß|oft|schnell|schwer|teuer)\b|\bprozent/,
      /多少|几个|几次|幾|いくつ|何人/,
    ],
  ],
  [
    'date',
    [
      /\bwhen\b|\b(?:what|which) (?:year|date|month|day|decade|century|time|era|period)\b/,
      /\bwann\b|\bwelche[mnrs]? (?:jahr|datum|monat|tag|jahrzehnt|jahrhundert|zeit)/,
      /什么时候|何时|哪一?年|哪个月|几月|哪天|いつ/,
    ],
  ],
  [
    'name',
    [
      /\bwho(?:m|se)?\b|\bwhere\b/,
      /\b(?:what|which) (?:city|country|state|place|town|region|continent|company|person|team|river|university)\b/,
      /\b(?:wer|wem|wen|wessen|wo|woher|wohin)\b/,
      /\bwelche[mnrs]? (?:stadt|land|staat|ort|region|kontinent|firma|person|fluss)/,
    ],
  ],
]

function expectedBy(text: string): Expected {
  const lower = text.toLowerCase()
  return questionCues.find(([, patterns]) => patterns.some((pattern) => pattern.test(lower)))?.[0] ?? 'anything'
}
