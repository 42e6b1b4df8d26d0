import type { PassageKind } from './passages.ts'
import type { Expected } from './rank/expected.ts'
import { type Question, toTerm, yearsIn } from './rank/question.ts'
import type { RankablePassage, RankedSentence } from './rank/ranked-sentence.ts'
import { itemsIn } from './text/blocks.ts'
import { isStatement, spansWithoutProse } from './text/prose.ts'
import { rowInWords } from './text/table-rows.ts'
import { eachWord } from './text/words.ts'

/** Without the kind of answer that is asked for, a sentence cannot answer such a question. */
const needEvidence: ReadonlySet<Expected> = new Set([
  'number',
  'money',
  'date',
  'colour',
  'person',
  'place',
  'steps',
  'command',
])

interface KnownPassage extends RankablePassage {
  kind?: PassageKind
}

/**
 * Whether a sentence can be an answer at all. In documents: prose, a table row with its header, a list or code with its introduction;
 * and only if its passage has the names of the question and is about the same years.
 */
export function canAnswer(
  question: Question,
  passages: readonly KnownPassage[],
): (sentence: RankedSentence) => boolean {
  const documents = passages.map((passage) => ((passage.kind ?? 'found') === 'found' ? toDocument(passage) : null))
  return (sentence) => {
    const document = documents[sentence.passage]
    if (!document) return true
    if (needEvidence.has(question.expected) && sentence.evidence === 0) return false
    return (
      sentence.knowsNames &&
      isQuotable(sentence, document, question) &&
      isAboutYears(sentence, document, question) &&
      hasRole(sentence, document, question)
    )
  }
}

interface Document {
  content: string
  /** The name and the headings above. */
  above: string
  withoutProse: { start: number; end: number }[]
}

const toDocument = ({ content, source, headings = [] }: KnownPassage): Document => ({
  content,
  above: [source ?? '', ...headings].join(' '),
  withoutProse: spansWithoutProse(content),
})

function isQuotable(
  { kind, start, end, text, isLabel, isIntroduced }: RankedSentence,
  { content, withoutProse }: Document,
  { expected }: Question,
): boolean {
  if (isLabel) return false
  if (kind === 'block') {
    if (isCode.test(text) && needsOneFact.has(expected)) return false
    if (!isIntroduced) return wantsList.has(expected) && hasShortItems(text)
    return wantsList.has(expected) || text.length <= maxBlockOfOne
  }
  if (kind === 'row') return rowInWords(content, { start, end }) !== null
  const isProse = !withoutProse.some((span) => span.start < end && start < span.end)
  return isProse ? isStatement(text) : expected === 'command' && isCommand.test(text)
}

/** A longer list hides a single fact. */
const maxBlockOfOne = 400
const wantsList: ReadonlySet<Expected> = new Set(['list', 'person', 'name', 'steps', 'command', 'yes-no', 'anything'])

const isCode = /```|~~~/
/** Code is no answer to these questions, because examples contain arbitrary numbers and names. */
const needsOneFact: ReadonlySet<Expected> = new Set(['number', 'money', 'date', 'colour', 'person', 'place'])

/** Longer items are paragraphs, each of which is an answer on its own. */
const maxItemLength = 100
const hasShortItems = (text: string): boolean => text.length / itemsIn(text) <= maxItemLength

const isCommand = /^(?:\$ )?(?:npx|npm|node|docker|git|curl|pip|kubectl|sudo|cd|apt|brew|make|systemctl)\s\S/

/** Whether the question's years occur in the row or its header, or in the passage of prose. */
function isAboutYears(
  { kind, text, header }: RankedSentence,
  { content, above }: Document,
  { years }: Question,
): boolean {
  if (years.length === 0) return true
  const near = kind === 'row' && header ? `${text} ${content.slice(header.start, header.end)}` : content
  const known = new Set(yearsIn(`${near} ${above}`))
  return years.every((year) => known.has(year))
}

/** How many characters around a sentence may name the role. */
const nearby = 250

/** Whether the role in the question, such as "chief executive", occurs near the sentence as a phrase. */
function hasRole(
  { start, end, header }: RankedSentence,
  { content, above }: Document,
  { text, expected, language }: Question,
): boolean {
  const role = roleIn.exec(text)?.groups?.role?.split(' ') ?? []
  if (expected !== 'person' || role.length === 0) return true
  const columns = header ? content.slice(header.start, header.end) : ''
  const context = `${above} ${columns} ${content.slice(Math.max(0, start - nearby), end + nearby)}`
  const nearTerms: string[] = []
  eachWord(context, 0, context.length, (word) => nearTerms.push(toTerm(word, language)))
  return ` ${nearTerms.join(' ')} `.includes(` ${role.map((word) => toTerm(word, language)).join(' ')} `)
}

const roleIn =
  /^\s*who (?:is|was|are|were) (?:the |an? )?(?!the |an? )(?<role>\p{L}+(?: \p{L}+)*?) (?:of|at|in|for|on)\b/iu
