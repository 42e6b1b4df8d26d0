import type { PassageKind } from './passages.ts'
import { phrases } from './phrases.ts'
import { readQuestion } from './rank/question.ts'
import { type RankablePassage, type RankedSentence, type RankOptions, rankSentences } from './rank/rank-sentences.ts'
import { type Language, languageOf } from './text/language.ts'
import { isStatement, spansWithoutProse } from './text/prose.ts'
import type { Span } from './text/sentences.ts'
import { isTable, rowInWords } from './text/table-rows.ts'
import { folded } from './text/words.ts'

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
/**
 * The share of the question's terms that the best sentences must cover. On XQuAD it rejects half of the passages that do
 * not answer, and one or two in a hundred that do.
 */
const minFit = 0.3
/** Longer questions hold terms beside the point, so a smaller share is enough. */
const typicalTerms = 6
/**
 * With embeddings, the fit and the similarity of the best sentences must add up to this. On XQuAD it rejects 94 in a
 * hundred passages of other articles, and six that do answer.
 */
const minFitAndSimilarity = 0.85
/** A sentence this near in meaning answers without any of the question's words. */
const minSimilarity = 0.5
/** One line of data says little without the others, unless it covers nearly the whole question. */
const minDataFit = 0.8
/** Questions name the columns of a table in other words, so less of them is enough. */
const minRowFit = 0.5
/** A shorter answer of a tool is quoted as a whole. */
const maxWholeAnswer = 600

/** Answers a question with sentences from the passages, or says that they do not answer it. */
export async function answerFrom(
  question: string,
  passages: readonly AnswerPassage[],
  options: RankOptions = {},
): Promise<ExtractiveAnswer> {
  const language = languageOf(question)
  const { nothingFound, notAnswered } = phrases(language)
  if (passages.every(({ content }) => content.trim() === '')) return { text: nothingFound, quotes: [] }
  const all = await rankSentences(question, passages, options)
  if (passages.every(({ kind = 'found', content }) => kind === 'found' && isTable(content)))
    return quoteRows(all, passages, notAnswered)
  const ranked = all.filter(proseOf(passages))
  const best = ranked[0]
  const isShortData = passages.every((passage) => passage.kind === 'data' && isShortAnswer(passage))
  if (best && fits(question, ranked.slice(0, maxSentences), passages, isShortData))
    return formatAnswer(inReadingOrder(chooseSentences(ranked, best)).flatMap(splitAtMarkers), passages)
  return passages.every(isShortAnswer) ? quoteTools(passages, language) : { text: notAnswered, quotes: [] }
}

/** Documents are quoted from their prose: a heading, a row of a table or a line of code is no answer. */
function proseOf(passages: readonly AnswerPassage[]): (sentence: RankedSentence) => boolean {
  const without = passages.map(({ kind = 'found', content }) => (kind === 'found' ? spansWithoutProse(content) : null))
  return ({ passage, start, end, text, isLabel }) => {
    const spans = without[passage]
    if (!spans) return true
    return !isLabel && isStatement(text) && !spans.some((span) => span.start < end && start < span.end)
  }
}

/** Rows of a spreadsheet answer if they have nearly all words of the question. They are written out with their columns. */
function quoteRows(
  ranked: RankedSentence[],
  passages: readonly AnswerPassage[],
  notAnswered: string,
): ExtractiveAnswer {
  const rows = new Map<string, Quote>()
  for (const { passage, start, end, fit } of ranked) {
    const text = fit < minRowFit ? null : rowInWords(passages[passage]?.content ?? '', { start, end })
    if (text !== null && rows.size < maxSentences && !rows.has(text)) rows.set(text, { passage, start, end, text })
  }
  const quotes = [...rows.values()]
  return quotes.length === 0 ? { text: notAnswered, quotes } : formatAnswer(quotes, passages)
}

/** Whether the best sentences answer the question, and do not only sound like it. */
function fits(
  question: string,
  top: RankedSentence[],
  passages: readonly AnswerPassage[],
  isShortData: boolean,
): boolean {
  const fit = Math.max(...top.map((each) => each.fit))
  if (isShortData) return fit >= minDataFit
  const { expected, names, text } = readQuestion(question)
  const isFromDocuments = top.every(({ passage }) => (passages[passage]?.kind ?? 'found') === 'found')
  if (isFromDocuments && expected === 'number' && top.every(({ evidence }) => evidence === 0)) return false
  if (isFromDocuments && names.some((name) => !occurs(name, passages))) return false
  const similarity = Math.max(...top.map((each) => each.similarity))
  if (similarity === 0) return fit >= requiredFit(text)
  return fit + similarity >= minFitAndSimilarity || similarity >= minSimilarity
}

const occurs = (name: string, passages: readonly AnswerPassage[]): boolean =>
  passages.some(({ content, source }) => folded(`${source ?? ''} ${content}`).includes(name))

const requiredFit = (question: string): number =>
  minFit * Math.min(1, typicalTerms / readQuestion(question).terms.length)

const isShortAnswer = ({ kind = 'found', content }: AnswerPassage): boolean =>
  kind !== 'found' && content.length <= maxWholeAnswer

/** A tool's result is the answer even if it shares no word with the question. */
function quoteTools(passages: readonly AnswerPassage[], language: Language): ExtractiveAnswer {
  const quotes = passages.flatMap(({ content }, passage) => {
    const start = content.length - content.trimStart().length
    const end = content.trimEnd().length
    return start < end ? splitAtMarkers({ passage, start, end, text: content.slice(start, end) }) : []
  })
  if (quotes.length === 0) return { text: phrases(language).nothingFound, quotes }
  const tools = [...new Set(passages.map(({ tool = '' }) => tool))].join(', ')
  const { text } = formatAnswer(quotes, passages)
  return { text: `${phrases(language).toolAnswered(tools)}\n${text}`, quotes }
}

function chooseSentences(ranked: RankedSentence[], best: RankedSentence): RankedSentence[] {
  const picked: RankedSentence[] = []
  for (const sentence of ranked) {
    if (picked.length === maxSentences || sentence.score < minRelativeScore * best.score) break
    // Passages overlap, so the same sentence appears again, whole or cut.
    if (!picked.some(({ text }) => text.includes(sentence.text) || sentence.text.includes(text))) picked.push(sentence)
  }
  if (picked.length === maxSentences || !startsWithReference.test(best.text)) return picked
  const previous = ranked.find((each) => isRightBefore(each, best))
  return previous && !picked.includes(previous) ? [...picked, previous] : picked
}

/** "He" or "this" refers to the sentence before. */
const startsWithReference =
  /^(?:He|She|It|Its|His|Her|They|Their|This|These|Those|Such|Er|Sie|Es|Dies(?:e[mnrs]?)?|Seine?|Ihre?)\s/

const isRightBefore = (one: RankedSentence, other: RankedSentence): boolean =>
  one.passage === other.passage && one.end <= other.start && other.start - one.end <= 2

/** Passages by their best sentence, sentences in the order of their passage. */
function inReadingOrder(sentences: RankedSentence[]): RankedSentence[] {
  const order = [...new Set(sentences.map(({ passage }) => passage))]
  return sentences.toSorted(
    (one, other) => order.indexOf(one.passage) - order.indexOf(other.passage) || one.start - other.start,
  )
}

/** Attached to a word, as in `items[2]`, brackets are not a citation. */
const citationMarkers = /(?<!\s)\s*(?<![\p{L}\p{N}_)\]])(?:\[\d+(?:\s?[,–-]\s?\d+)*\]\s*)+/gu

/** The passage's own citations would seem to point to our passages: quotes the text around them piece by piece. */
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
    // Lines stay lines.
    if (previous) text += isLine(previous.text) && isLine(quote.text) ? '\n' : ' '
    text += quote.text + markerOf(quote.passage, passages)
  })
  return { text, quotes }
}

function markerOf(index: number, passages: readonly AnswerPassage[]): string {
  const { citation = index + 1 } = passages[index] ?? {}
  return citation === null ? '' : ` [${citation}]`
}

const isLine = (text: string): boolean => !/[.!?…。！？]["'”’»)]*$/.test(text)
