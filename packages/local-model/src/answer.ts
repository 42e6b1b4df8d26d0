import { canAnswer } from './can-answer.ts'
import type { PassageKind } from './passages.ts'
import { phrases } from './phrases.ts'
import { type Question, readQuestion } from './rank/question.ts'
import { rankSentences } from './rank/rank-sentences.ts'
import type { RankablePassage, RankedSentence, RankOptions } from './rank/ranked-sentence.ts'
import { paragraphAround } from './text/paragraphs.ts'
import type { Span } from './text/span.ts'
import { rowInWords } from './text/table-rows.ts'
import { withoutCutBlocks } from './text/whole-blocks.ts'

/** Search results have this shape. */
export interface AnswerPassage extends RankablePassage {
  kind?: PassageKind
  tool?: string
  /** The n of its `[n]`: its position from 1 if not given. Null if it cannot be cited: it is quoted without a marker. */
  citation?: number | null
}

/** A quotation: the characters `start` to `end` of a passage. */
interface Quote extends Span {
  /** Index of the passage, from 0. */
  passage: number
  text: string
}

export interface ExtractiveAnswer {
  text: string
  /** An answer, the closest passages if none surely answers, or nothing if none is relevant. */
  grade: 'answer' | 'closest' | 'nothing'
  /**
   * In the order of the citations. Each is in the text before the `[n]` of its passage if it has one: verbatim, or a row of a
   * table in words.
   */
  quotes: Quote[]
}

/** The best sentences of a tool's result must have this share of the question's terms. */
const minFit = 0.3
/** Longer questions contain irrelevant terms, so a smaller share is enough. */
const typicalTerms = 6
/** One line of data says little without the others, unless it covers nearly the whole question. */
const minDataFit = 0.8
/** A shorter answer of a tool is quoted as a whole. */
const maxWholeAnswer = 600

/**
 * Answers a question with a row, a line, a paragraph or a sentence of the passages. If none fits surely, it quotes the closest
 * passages, and says that nothing fits if the search has found nothing relevant.
 */
export async function answerFrom(
  question: string,
  passages: readonly AnswerPassage[],
  options: RankOptions = {},
): Promise<ExtractiveAnswer> {
  if (passages.every(({ content }) => content.trim() === '')) return nothingFits(question)
  const query = readQuestion(question)
  const matching = await rankSentences(question, passages, options)
  const fits = canAnswer(query, passages)
  const ranked = matching.filter((sentence) => fits(sentence) || (sentence.asked >= minAsked && !sentence.isLabel))
  const best = ranked[0]
  if (best) {
    const answer = widen(best, passages)
    if (isSure(query, best, answer, ranked, passages)) return formatAnswer(splitAtMarkers(answer), passages)
  }
  return passages.every(isShortAnswer)
    ? quoteTools(passages, question)
    : closest(question, passages, [...ranked, ...matching])
}

const nothingFits = (question: string): ExtractiveAnswer => ({
  text: phrases(question).nothingFound,
  grade: 'nothing',
  quotes: [],
})

/** A row is written out with its columns; a sentence is quoted with its paragraph. */
function widen({ kind, passage, start, end, text }: RankedSentence, passages: readonly AnswerPassage[]): Quote {
  const { content = '', headings = [], kind: of = 'found' } = passages[passage] ?? {}
  if (of !== 'found') return { passage, start, end, text }
  if (kind === 'row') return { passage, start, end, text: rowInWords(content, { start, end }, headings) ?? text }
  if (isField.test(text)) return { passage, start, end, text }
  const around = paragraphAround(content, { start, end })
  return { passage, ...around, text: content.slice(around.start, around.end) }
}

/** "Due date: April 2" on a line of its own. */
const isField = /^[\p{Lu}\d][\p{L}\d /()-]{1,40}: \S[^\n]{0,120}$/u

/** Whether the best sentence answers the question, and does not only sound like it. */
function isSure(
  question: Question,
  best: RankedSentence,
  answer: Quote,
  ranked: RankedSentence[],
  passages: readonly AnswerPassage[],
): boolean {
  if (passages.every((passage) => passage.kind === 'data' && isShortAnswer(passage))) return best.fit >= minDataFit
  const { kind = 'found', score } = passages[best.passage] ?? {}
  if (kind !== 'found') return best.fit >= minFit * Math.min(1, typicalTerms / question.terms.length)
  return best.asked >= minAsked || confidence(best, answer, ranked, score ?? null) >= minConfidence
}

/** A heading that is nearer than this asks the same question. */
const minAsked = 0.8
/** On the questions that it was set with, 3 in 100 get a wrong answer. */
const minConfidence = 1.83
const typicalSimilarity = 0.6
const typicalScore = 0.5
/** A larger lead over the next sentence does not count. */
const maxLead = 0.3

/**
 * Adds up how much of the question the best sentence covers, how near it is in meaning, how far the next one is behind, and what the
 * search says of its passage.
 */
function confidence(best: RankedSentence, answer: Quote, ranked: RankedSentence[], score: number | null): number {
  const isOther = ({ passage, start }: RankedSentence) =>
    passage !== answer.passage || start < answer.start || start >= answer.end
  const lead = Math.min(maxLead, best.score - (ranked.find(isOther)?.score ?? 0))
  const isFirst = best.passage === 0 ? 0.2 : 0
  return best.own + 0.5 * (best.similarity || typicalSimilarity) + 2 * lead + 0.15 * (score ?? typicalScore) + isFirst
}

const isShortAnswer = ({ kind = 'found', content }: AnswerPassage): boolean =>
  kind !== 'found' && content.length <= maxWholeAnswer

/** Below this score, a search has hardly found anything that is about the question. */
const minRelevance = 0.03
/** A sentence with a smaller share of the question's terms is not about it, either. A short document in other words scores low. */
const minCovered = 1 / 3
const maxClosest = 2

/** The passage of the best sentence and the one that the search ranks first, without blocks that their edges cut. */
function closest(question: string, passages: readonly AnswerPassage[], ranked: RankedSentence[]): ExtractiveAnswer {
  const isRelevant = passages.some(({ score }) => (score ?? (ranked.length > 0 ? 1 : 0)) >= minRelevance)
  if (!isRelevant && !ranked.some(({ own }) => own >= minCovered)) return nothingFits(question)
  const order = [...new Set([0, ...ranked.map(({ passage }) => passage), 1])]
  const quoted = order
    .map((passage) => quoteWhole(passages, passage, withoutCutBlocks))
    .filter((quotes) => quotes.length > 0)
    .slice(0, maxClosest)
  const texts = quoted.map((quotes) => formatAnswer(quotes, passages).text)
  return { text: [phrases(question).closest, ...texts].join('\n\n'), grade: 'closest', quotes: quoted.flat() }
}

const everything = (text: string): Span => ({ start: 0, end: text.length })

function quoteWhole(passages: readonly AnswerPassage[], passage: number, part = everything): Quote[] {
  const content = passages[passage]?.content ?? ''
  const kept = part(content)
  const text = content.slice(kept.start, kept.end)
  const start = kept.start + text.length - text.trimStart().length
  const end = kept.start + text.trimEnd().length
  return start < end ? splitAtMarkers({ passage, start, end, text: content.slice(start, end) }) : []
}

/** A tool's result is the answer even if it shares no word with the question. */
function quoteTools(passages: readonly AnswerPassage[], question: string): ExtractiveAnswer {
  const quotes = passages.flatMap((_, passage) => quoteWhole(passages, passage))
  if (quotes.length === 0) return nothingFits(question)
  const tools = [...new Set(passages.map(({ tool = '' }) => tool))].join(', ')
  const { text } = formatAnswer(quotes, passages)
  return { text: `${phrases(question).toolAnswered(tools)}\n${text}`, grade: 'answer', quotes }
}

/** Attached to a word, as in `items[2]`, brackets are not a citation. */
const citationMarkers = /(?<!\s)\s*(?<![\p{L}\p{N}_)\]])(?:\[\d+(?:\s?[,–-]\s?\d+)*\]\s*)+/gu

/** Removes the passage's own citations, which would seem to refer to our passages, by quoting the text between them. */
function splitAtMarkers({ passage, start, text }: Quote): Quote[] {
  const pieces: Quote[] = []
  const add = (from: number, to: number) => {
    if (/[\p{L}\p{N}]/u.test(text.slice(from, to))) {
      pieces.push({ passage, start: start + from, end: start + to, text: text.slice(from, to) })
    }
  }
  let from = 0
  for (const marker of text.matchAll(citationMarkers)) {
    add(from, marker.index)
    from = marker.index + marker[0].length
  }
  add(from, text.length)
  return pieces
}

function formatAnswer(quotes: Quote[], passages: readonly AnswerPassage[]): ExtractiveAnswer {
  let text = ''
  quotes.forEach((quote, index) => {
    const previous = quotes[index - 1]
    // Quotes without a full stop, such as headings and cells, stay on separate lines.
    if (previous) text += isLine(previous.text) && isLine(quote.text) ? '\n' : ' '
    text += quote.text + citationMarker(quote, passages)
  })
  return { text, grade: 'answer', quotes }
}

function citationMarker({ passage, text }: Quote, passages: readonly AnswerPassage[]): string {
  const { citation = passage + 1 } = passages[passage] ?? {}
  if (citation === null) return ''
  // Right after the fence of a code block, the marker would be part of the code.
  return endsWithFence.test(text) ? `\n\n[${citation}]` : ` [${citation}]`
}

const endsWithFence = /(?:```|~~~)$/

const isLine = (text: string): boolean => !/[.!?…。！？]["'”’»)]*$/.test(text)
