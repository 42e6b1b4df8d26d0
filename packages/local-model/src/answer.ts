import { canAnswer } from './can-answer.ts'
import { documentsAnswer } from './documents-answer.ts'
import type { PassageKind } from './passages.ts'
import { phrases } from './phrases.ts'
import { type Question, readQuestion } from './rank/question.ts'
import { rankSentences } from './rank/rank-sentences.ts'
import type { RankablePassage, RankedSentence, RankOptions } from './rank/ranked-sentence.ts'
import type { Span } from './text/sentences.ts'
import { rowInWords } from './text/table-rows.ts'

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
  /**
   * In the order of the citations. Each is in the text before the `[n]` of its passage if it has one: verbatim, or a row of a
   * table in words.
   */
  quotes: Quote[]
}

const maxSentences = 3
/** Sentences with less than this share of the best score are not quoted. */
const minRelativeScore = 0.7
/** The best sentences of a tool's result must have this share of the question's terms. */
const minFit = 0.3
/** Longer questions contain irrelevant terms, so a smaller share is enough. */
const typicalTerms = 6
/** One line of data says little without the others, unless it covers nearly the whole question. */
const minDataFit = 0.8
/** Rows of a table are alternatives: only those that fit as well as the best one are quoted beside it. */
const minRelativeRowScore = 0.93
/** A shorter answer of a tool is quoted as a whole. */
const maxWholeAnswer = 600

/** Answers a question with sentences from the passages, or says that they do not answer it. */
export async function answerFrom(
  question: string,
  passages: readonly AnswerPassage[],
  options: RankOptions = {},
): Promise<ExtractiveAnswer> {
  const { nothingFound, notAnswered } = phrases(question)
  if (passages.every(({ content }) => content.trim() === '')) return { text: nothingFound, quotes: [] }
  const query = readQuestion(question)
  const ranked = (await rankSentences(question, passages, options)).filter(canAnswer(query, passages))
  const best = ranked[0]
  const isShortData = passages.every((passage) => passage.kind === 'data' && isShortAnswer(passage))
  if (best && fits(query, ranked.slice(0, maxSentences), passages, isShortData))
    return formatAnswer(inReadingOrder(chooseSentences(ranked, best, query)).flatMap(quotesOf(passages)), passages)
  return passages.every(isShortAnswer) ? quoteTools(passages, question) : { text: notAnswered, quotes: [] }
}

/** A row is written out with its columns. */
const quotesOf =
  (passages: readonly AnswerPassage[]) =>
  (sentence: RankedSentence): Quote[] => {
    const { kind, passage, start, end } = sentence
    if (kind !== 'row') return splitAtMarkers(sentence)
    const { content = '', headings = [] } = passages[passage] ?? {}
    return [{ passage, start, end, text: rowInWords(content, sentence, headings) ?? sentence.text }]
  }

/** Whether the best sentences answer the question, and do not only sound like it. */
function fits(
  question: Question,
  top: RankedSentence[],
  passages: readonly AnswerPassage[],
  isShortData: boolean,
): boolean {
  const fit = Math.max(...top.map((each) => each.fit))
  if (isShortData) return fit >= minDataFit
  const isFromDocuments = top.every(({ passage }) => (passages[passage]?.kind ?? 'found') === 'found')
  return isFromDocuments ? documentsAnswer(question, top) : fit >= requiredFit(question.terms.length)
}

const requiredFit = (terms: number): number => minFit * Math.min(1, typicalTerms / terms)

const isShortAnswer = ({ kind = 'found', content }: AnswerPassage): boolean =>
  kind !== 'found' && content.length <= maxWholeAnswer

/** A tool's result is the answer even if it shares no word with the question. */
function quoteTools(passages: readonly AnswerPassage[], question: string): ExtractiveAnswer {
  const quotes = passages.flatMap(({ content }, passage) => {
    const start = content.length - content.trimStart().length
    const end = content.trimEnd().length
    return start < end ? splitAtMarkers({ passage, start, end, text: content.slice(start, end) }) : []
  })
  if (quotes.length === 0) return { text: phrases(question).nothingFound, quotes }
  const tools = [...new Set(passages.map(({ tool = '' }) => tool))].join(', ')
  const { text } = formatAnswer(quotes, passages)
  return { text: `${phrases(question).toolAnswered(tools)}\n${text}`, quotes }
}

function chooseSentences(ranked: RankedSentence[], best: RankedSentence, { expected }: Question): RankedSentence[] {
  const picked: RankedSentence[] = []
  for (const sentence of ranked) {
    if (picked.length === maxSentences || sentence.score < minRelativeScore * best.score) break
    if (best.kind === 'row' && sentence.kind === 'row' && sentence.score < minRelativeRowScore * best.score) continue
    // Passages overlap, so the same sentence appears again, whole or cut.
    if (!picked.some(({ text }) => text.includes(sentence.text) || sentence.text.includes(text))) picked.push(sentence)
  }
  const neighbours = [
    startsWithReference.test(best.text) && ranked.find((each) => isRightBefore(each, best)),
    // Documents often repeat a question and answer it in the next sentence.
    expected === 'yes-no' && ranked.find((each) => isRightBefore(best, each)),
  ]
  for (const sentence of neighbours) if (sentence && !picked.includes(sentence)) picked.push(sentence)
  return picked
}

/** "He" or "this" refers to the sentence before. */
const startsWithReference =
  /^(?:He|She|It|Its|His|Her|They|Their|This|These|Those|Such|Er|Sie|Es|Dies(?:e[mnrs]?)?|Seine?|Ihre?)\s/

const isRightBefore = (one: RankedSentence, other: RankedSentence): boolean =>
  one.kind === 'sentence' &&
  other.kind === 'sentence' &&
  one.passage === other.passage &&
  one.end <= other.start &&
  other.start - one.end <= 2

/** Passages by their best sentence, sentences in the order of their passage. */
function inReadingOrder(sentences: RankedSentence[]): RankedSentence[] {
  const order = [...new Set(sentences.map(({ passage }) => passage))]
  return sentences.toSorted(
    (one, other) => order.indexOf(one.passage) - order.indexOf(other.passage) || one.start - other.start,
  )
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
  return { text, quotes }
}

function citationMarker({ passage, text }: Quote, passages: readonly AnswerPassage[]): string {
  const { citation = passage + 1 } = passages[passage] ?? {}
  if (citation === null) return ''
  // Right after the fence of a code block, the marker would be part of the code.
  return endsWithFence.test(text) ? `\n\n[${citation}]` : ` [${citation}]`
}

const endsWithFence = /(?:```|~~~)$/

const isLine = (text: string): boolean => !/[.!?…。！？]["'”’»)]*$/.test(text)
