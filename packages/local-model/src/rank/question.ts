import { isStopWord, type Language, languageOf } from '../text/language.ts'
import { numberWords } from '../text/numbers.ts'
import { stem } from '../text/stems.ts'
import { eachWord, folded, isSpacelessWord } from '../text/words.ts'

/** The kind of answer that is asked for. */
export type Expected = 'definition' | 'number' | 'date' | 'name' | 'anything'

export interface Question {
  text: string
  language: Language
  expected: Expected
  /** Stems of its words without stop words, each once, in order. */
  terms: string[]
  /** All its folded words: a word of the question is not its answer. */
  words: Set<string>
  /** How names and numbers in it begin, of which an answer must know. In English only: other languages capitalize more. */
  names: string[]
}

const maxQuestionLength = 4000
const maxTerms = 64

export function readQuestion(whole: string): Question {
  const text = whole.slice(0, maxQuestionLength)
  const language = languageOf(text)
  const terms = new Set<string>()
  const words = new Set<string>()
  const names: string[] = []
  const content = text.replace(chineseStopWords, ' ').replace(measures, ' ')
  eachWord(content, 0, content.length, (word, at) => {
    words.add(folded(word))
    if (isStopWord(word, language)) return
    if (terms.size < maxTerms) terms.add(termOf(word, language))
    if (language === 'english' && at > 0 && isName.test(word)) names.push(withoutEnding(folded(word)))
  })
  return {
    text,
    language,
    expected: expectedBy(text),
    terms: [...terms],
    words,
    names: names.length === words.size ? [] : names,
  }
}

/** Question words and particles, which no space separates from other words. */
const chineseStopWords = /为什么|什么|多少|怎么|怎样|如何|哪些|哪个|哪里|谁|哪|吗|呢|的|了|是/g

/** "How high" and "how long" ask for a number; its unit is rarely called by these words. */
const measures = /(?<=\bhow )(?:many|much|long|old|far|tall|large|big|high|deep|wide|often|fast|heavy)\b/gi
const isName = /\p{Lu}|\d/u

/** "Saturdays" is also found as "Saturday". */
const withoutEnding = (name: string): string => (/\d/.test(name) ? name : name.slice(0, Math.max(4, name.length - 2)))

/** The form in which words are compared: "five" becomes 5, "Städte" becomes "stadt". */
export function termOf(word: string, language: Language): string {
  const plain = folded(word)
  if (isSpacelessWord(word)) return plain
  return numberWords.get(plain) ?? stem(plain, language)
}

const questionCues: [Expected, RegExp[]][] = [
  [
    'definition',
    [
      /^\s*(?:what|who) (?:is|are) (?:an? |the )?[\p{L}\d'’-]+(?: [\p{L}\d'’-]+)?\s*\??\s*$/u,
      /^\s*(?:was|wer) (?:ist|sind) (?:eine? |der |die |das )?[\p{L}\d'’-]+(?: [\p{L}\d'’-]+)?\s*\??\s*$/u,
    ],
  ],
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
