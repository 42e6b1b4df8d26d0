import { detectLanguage, isStopWord, type Language } from '../text/language.ts'
import { numberWords } from '../text/numbers.ts'
import { stem } from '../text/stems.ts'
import { eachWord, folded, isSpacelessWord } from '../text/words.ts'
import { type Expected, expectedBy } from './expected.ts'

export interface Question {
  text: string
  language: Language
  expected: Expected
  /** Stems of its words without stop words, each once, in order. */
  terms: string[]
  /** The first word of each term, as written. */
  termWords: string[]
  /** All its folded words: a word of the question is not its answer. */
  words: Set<string>
  /** Its numbers and the names with a digit, folded. */
  numbers: string[]
}

const maxQuestionLength = 4000
const maxTerms = 64

export function readQuestion(whole: string): Question {
  const text = whole.slice(0, maxQuestionLength)
  const language = detectLanguage(text)
  const { terms, words } = extractTerms(text, language)
  return {
    text,
    language,
    expected: expectedBy(text),
    terms: [...terms.keys()],
    termWords: [...terms.values()],
    words,
    numbers: text.match(/[\p{L}\p{N}-]*\d[\p{L}\p{N}-]*/gu)?.map(folded) ?? [],
  }
}

/** The words of a text, and the first word of each of its terms. */
function extractTerms(text: string, language: Language): { terms: Map<string, string>; words: Set<string> } {
  const terms = new Map<string, string>()
  const words = new Set<string>()
  const content = text.replace(spacelessStopWords, ' ').replace(measures, ' ').replace(kindNouns, ' ')
  eachWord(content, 0, content.length, (word) => {
    words.add(folded(word))
    if (isStopWord(word, language) || lightVerbs.has(folded(word))) return
    const term = toTerm(word, language)
    if (!terms.has(term) && terms.size < maxTerms) terms.set(term, word)
  })
  return { terms, words }
}

/** Whether a heading asks the same as a question: it has all terms of the question, at least two, and no others. */
export function asksTheSame(heading: string, { terms, language }: Question): boolean {
  if (heading === '' || terms.length < 2) return false
  const asked = extractTerms(heading, language).terms
  return asked.size === terms.length && terms.every((term) => asked.has(term))
}

/** Question words, particles and forms of politeness, which no space separates from other words. */
const spacelessStopWords =
  /为什么|什么|多少|怎么|怎样|如何|哪些|哪个|哪里|谁|哪|吗|呢|的|了|是|(?:は|が)?(?:何歳|どこ|いつ|いくら|なん|何)?(?:です|ます|でした|ました)か|무엇인가요|얼마인가요|어디인가요|누구인가요|언제인가요|인가요|입니까|습니까/g
/** "How high" and "how long" ask for a number. Answers rarely repeat these words. */
const measures = /(?<=\bhow )(?:many|much|long|old|far|tall|large|big|high|deep|wide|often|fast|heavy)\b/gi

/** "Which year" and "what percentage" name the kind of the answer, which does not repeat these words. */
const kindNouns =
  /(?<=\b(?:what|which) )(?:year|date|month|day|decade|century|time|percentage|percent|number|amount|temperature|age|colou?r)\b/gi

/** Verbs that say little about the topic. */
const lightVerbs = new Set(
  'make makes made put puts go goes happen happens happened mean means need needs macht machen passiert bedeutet'.split(
    ' ',
  ),
)

/** The form in which words are compared: "five" becomes 5, "Städte" becomes "stadt". */
export function toTerm(word: string, language: Language): string {
  const plain = folded(word)
  if (isSpacelessWord(word)) return plain
  return numberWords.get(plain) ?? stem(plain, language)
}
