import type { PassageKind } from './passages.ts'
import { attributeAsked, type Expected } from './rank/expected.ts'
import { type Question, toTerm } from './rank/question.ts'
import type { RankablePassage, RankedSentence } from './rank/ranked-sentence.ts'
import { isStopWord } from './text/language.ts'
import { eachWord, folded } from './text/words.ts'

/** Without the kind of answer that is asked for, a sentence cannot answer such a question. */
const needEvidence: ReadonlySet<Expected> = new Set([
  'number',
  'identifier',
  'money',
  'date',
  'colour',
  'person',
  'place',
  'command',
  'steps',
])
/** A longer list hides a single fact. */
const maxBlockLength = 400
const wantsFact: ReadonlySet<Expected> = new Set(['number', 'money', 'date', 'colour', 'person', 'place'])

/**
 * Whether a sentence of a document can be an answer at all: it has the kind of answer that is asked for, it names the attribute that is asked for
 * unless its kind shows that, it says something that the question does not say, and its passage has the numbers of the question, so that "Windows 11" is not answered by what is said of Windows 10.
 */
export function canAnswer(
  question: Question,
  passages: readonly (RankablePassage & { kind?: PassageKind })[],
): (sentence: RankedSentence) => boolean {
  const hasNumbers = passages.map(({ content, source, headings = [] }) => {
    const text = folded([source ?? '', ...headings, content].join(' '))
    return question.numbers.every((number) => text.includes(number))
  })
  const namesAttribute = attributeFilter(question)
  const isResult = passages.map(({ kind = 'found' }) => kind !== 'found')
  return (sentence) =>
    isResult[sentence.passage] ||
    (!sentence.isLabel &&
      hasNumbers[sentence.passage] === true &&
      (!needEvidence.has(question.expected) || sentence.evidence > 0) &&
      namesAttribute(sentence) &&
      (sentence.kind !== 'block' || !wantsFact.has(question.expected) || sentence.text.length <= maxBlockLength) &&
      saysMore(sentence.text, question))
}

/** Kinds of answers that show by themselves what they are the answer to: "The lamp costs 30 euros" has no "price". */
const shown: ReadonlySet<Expected> = new Set(['number', 'money', 'date', 'colour', 'place', 'definition'])

/** Whether a sentence, or the heading or the columns above it, has a word of what the question asks for by name. */
function attributeFilter(question: Question): (sentence: RankedSentence) => boolean {
  const asked = shown.has(question.expected) ? undefined : attributeAsked(question.text)
  if (asked === undefined) return () => true
  const wanted = new Set<number>()
  eachWord(asked, 0, asked.length, (word) => wanted.add(question.terms.indexOf(toTerm(word, question.language))))
  wanted.delete(-1)
  return ({ terms }) => wanted.size === 0 || [...wanted].some((term) => terms.has(term))
}

/** Whether a sentence has a word that the question does not have. */
function saysMore(text: string, { terms, language }: Question): boolean {
  let more = 0
  eachWord(text, 0, text.length, (word) => {
    const term = toTerm(word, language)
    const isAsked = terms.some((each) => each.startsWith(term.slice(0, 5)) || term.startsWith(each.slice(0, 5)))
    if (!isStopWord(word, language) && !isAsked) more++
  })
  return more > 0
}
