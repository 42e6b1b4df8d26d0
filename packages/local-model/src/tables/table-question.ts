import { readQuestion } from '../rank/question.ts'
import { detectLanguage, type Language } from '../text/language.ts'
import { stem } from '../text/stems.ts'
import { eachWord, folded } from '../text/words.ts'

/** A question about the rows of a table. */
type Operation = 'count' | 'distinct' | 'sum' | 'average' | 'most' | 'least' | 'next' | 'previous'

export interface TableQuestion {
  text: string
  language: Language
  operation: Operation
  /** Stems of its words, with words of the same meaning. */
  terms: Set<string>
  /** Stems of the words that say what it is about. */
  content: string[]
}

/** A longer text is no question for a template, and would take the patterns below too long. */
const maxLength = 500

/** In the order in which they are looked for: "the average of the highest" is an average. */
const operations: [Operation, RegExp][] = [
  [
    'distinct',
    /\b(?:how many|number of|count of|wie viele|anzahl(?: der)?) (?:different|distinct|unique|verschiedene[nr]?|unterschiedliche[nr]?)\b/i,
  ],
  ['average', /\b(?:average|mean|avg|on average|durchschnitt\p{L}*|im schnitt|im mittel|mittelwert)\b/iu],
  [
    'next',
    /\b(?:next|following|follows|comes? (?:right |directly |immediately )?after|(?:right|directly|immediately|listed|is|row) after|nächste\p{L}*|folgt|kommt nach|nach)\b/iu,
  ],
  [
    'previous',
    /\b(?:previous|preceding|precedes|comes? (?:right |directly |immediately )?before|(?:right|directly|immediately|listed|is|row) before|vorherige\p{L}*|kommt vor|vor)\b/iu,
  ],
  [
    'most',
    /(?<!\bat )\b(?:most|highest|largest|biggest|greatest|maximum|max|longest|heaviest|tallest|newest|latest|youngest|top|best|fastest|priciest|last|meisten?|höchste\p{L}*|größte\p{L}*|groesste\p{L}*|längste\p{L}*|neueste\p{L}*|teuerste\p{L}*|maximale?\p{L}*|späteste\p{L}*|schwerste\p{L}*)\b/iu,
  ],
  [
    'least',
    /(?<!\bat )\b(?:least|lowest|smallest|fewest|minimum|min|shortest|lightest|cheapest|oldest|earliest|slowest|first|wenigsten?|niedrigste\p{L}*|kleinste\p{L}*|kürzeste\p{L}*|älteste\p{L}*|billigste\p{L}*|günstigste\p{L}*|minimale?\p{L}*|früheste\p{L}*|leichteste\p{L}*)\b/iu,
  ],
  ['sum', /\b(?:sum|total|altogether|combined|in all|overall|summe|insgesamt|zusammen|gesamt\p{L}*)\b/iu],
  ['count', /\b(?:how many|number of|count|wie viele|anzahl)\b/i],
]

/** Words that name a column without being its header. */
const sameMeaning: [RegExp, string][] = [
  [
    /^(?:expensive|cheap(?:est)?|priciest|costs?|costly|teuerste\p{L}*|billigste\p{L}*|günstigste\p{L}*|kostet|kosten)$/u,
    'price cost amount preis kosten',
  ],
  [/^(?:earns?|earned|paid|pays?|verdien(?:t|en|st))$/, 'salary income wage pay gehalt lohn'],
  [/^(?:old|oldest|young|youngest|ält?este\p{L}*|jüngste\p{L}*)$/u, 'age born birth alter founded'],
  [
    /^(?:newest|latest|earliest|first|last|recent|neueste\p{L}*|früheste\p{L}*|späteste\p{L}*|when|wann)$/u,
    'date day datum',
  ],
  [/^(?:populous|inhabitants?|people|einwohner)$/, 'population inhabitants einwohner bevölkerung'],
  [/^(?:heav(?:y|iest)|light(?:est)?|weighs?|schwerste\p{L}*|leichteste\p{L}*|wiegt)$/u, 'weight mass gewicht masse'],
  [/^(?:tall|tallest|high)$/, 'height'],
  [/^(?:long|longest|short|shortest|längste\p{L}*|kürzeste\p{L}*)$/u, 'length duration distance länge dauer'],
  [/^(?:big|biggest|large|largest|small|smallest|größte\p{L}*|kleinste\p{L}*)$/u, 'size area größe fläche'],
  [/^(?:sells?|sold|selling|verkauft\p{L}*)$/u, 'units sold sales quantity verkauft'],
]

/** Null if a question does not ask for a figure or a row of a table. */
export function readTableQuestion(text: string): TableQuestion | null {
  if (text.length > maxLength) return null
  const operation = operations.find(([, pattern]) => pattern.test(text))?.[0]
  if (!operation) return null
  const language = detectLanguage(text)
  const terms = new Set(
    wordsIn(text)
      .flatMap((word) => [word, ...synonyms(word)])
      .map((word) => stem(folded(word), language)),
  )
  return { text, language, operation, terms, content: extractTopicTerms(text) }
}

const asking =
  /\b(?:rows?|entries|records|listed|table|list|value|how|many|much|number|count|total|sum|average|mean|altogether|combined|different|distinct|unique|next|following|follows|comes?|directly|right|previous|preceding|zeilen?|einträge|anzahl|summe|insgesamt|durchschnittlich\p{L}*|verschiedene\p{L}*|kommt|folgt)\b/giu

/** Without the words that say what to compute. */
function extractTopicTerms(text: string): string[] {
  const topic = operations.reduce((rest, [, pattern]) => rest.replace(new RegExp(pattern.source, 'giu'), ' '), text)
  return readQuestion(topic.replace(asking, ' ')).terms
}

const synonyms = (word: string): string[] =>
  sameMeaning.flatMap(([pattern, words]) => (pattern.test(word.toLowerCase()) ? words.split(' ') : []))

function wordsIn(text: string): string[] {
  const words: string[] = []
  eachWord(text, 0, text.length, (word) => words.push(word))
  return words
}

export const stemsIn = (text: string, language: Language): string[] =>
  wordsIn(text).map((word) => stem(folded(word), language))
