import type { PassageKind } from './passages.ts'
import { phrases } from './phrases.ts'
import { readQuestion } from './rank/question.ts'
import { type RankablePassage, type RankedSentence, type RankOptions, rankSentences } from './rank/rank-sentences.ts'
import { type Language, languageOf } from './text/language.ts'
import type { Span } from './text/sentences.ts'

/** Search results are such passages as they are. */
export interface AnswerPassage extends RankablePassage {
  kind?: PassageKind
  tool?: string
}

/** A quotation: the characters `start` to `end` of a passage. */
interface Quote extends Span {
  /** Which of the passages, from 0; it is cited as the next number. */
  passage: number
  text: string
}

export interface ExtractiveAnswer {
  text: string
  /** What the text quotes, in the order of its citations: each stands before its `[n]`, letter by letter. */
  quotes: Quote[]
}

const mostSentences = 3
/** A sentence with less than this part of the best one's score is not quoted beside it. */
const clearDrop = 0.7
/**
 * The least part of what is asked that the best sentences must speak of. On XQuAD it turns away half of the passages
 * that do not answer, and one or two in a hundred that do.
 */
const leastFit = 0.3
/** A longer question says much beside the point, so that less of it need be spoken of. */
const termsOfUsualQuestion = 6
/** One line of data says little without the others, unless it speaks of nearly all that is asked. */
const leastFitOfData = 0.8
/** A tool's own answer that is no longer is quoted whole. */
const longestWhole = 600

/** Answers a question with sentences of the passages, or says that they do not answer it. */
export async function answerFrom(
  question: string,
  passages: readonly AnswerPassage[],
  options: RankOptions = {},
): Promise<ExtractiveAnswer> {
  const language = languageOf(question)
  const said = phrases(language)
  if (passages.every(({ content }) => content.trim() === '')) return { text: said.nothingFound, quotes: [] }
  const ranked = await rankSentences(question, passages, options)
  const best = ranked[0]
  const fit = Math.max(0, ...ranked.slice(0, mostSentences).map((each) => each.fit))
  const isShortData = passages.every((passage) => passage.kind === 'data' && isShortAnswer(passage))
  const needed = isShortData ? leastFitOfData : neededFit(question)
  if (best && fit >= needed) return written(inReadableOrder(chosen(ranked, best)).flatMap(piecesOf))
  return passages.every(isShortAnswer) ? toolsAnswer(passages, language) : { text: said.notAnswered, quotes: [] }
}

const neededFit = (question: string): number =>
  leastFit * Math.min(1, termsOfUsualQuestion / readQuestion(question).terms.length)

const isShortAnswer = ({ kind = 'found', content }: AnswerPassage): boolean =>
  kind !== 'found' && content.length <= longestWhole

/** What a tool says is the answer, even if it shares no word with the question. */
function toolsAnswer(passages: readonly AnswerPassage[], language: Language): ExtractiveAnswer {
  const quotes = passages.flatMap(({ content }, passage) => {
    const start = content.length - content.trimStart().length
    const end = content.trimEnd().length
    return start < end ? piecesOf({ passage, start, end, text: content.slice(start, end) }) : []
  })
  if (quotes.length === 0) return { text: phrases(language).nothingFound, quotes }
  const tools = [...new Set(passages.map(({ tool = '' }) => tool))].join(', ')
  const { text } = written(quotes)
  return { text: `${phrases(language).toolAnswered(tools)}\n${text}`, quotes }
}

function chosen(ranked: RankedSentence[], best: RankedSentence): RankedSentence[] {
  const picked: RankedSentence[] = []
  for (const sentence of ranked) {
    if (picked.length === mostSentences || sentence.score < clearDrop * best.score) break
    // Passages overlap: the same sentence comes again, whole or cut.
    if (!picked.some(({ text }) => text.includes(sentence.text) || sentence.text.includes(text))) picked.push(sentence)
  }
  if (picked.length === mostSentences || !leansOnPrevious.test(best.text)) return picked
  const previous = ranked.find((each) => isRightBefore(each, best))
  return previous && !picked.includes(previous) ? [...picked, previous] : picked
}

/** Who "he" is, and what "this" is, stands in the sentence before. */
const leansOnPrevious =
  /^(?:He|She|It|Its|His|Her|They|Their|This|These|Those|Such|Er|Sie|Es|Dies(?:e[mnrs]?)?|Seine?|Ihre?)\s/

const isRightBefore = (one: RankedSentence, other: RankedSentence): boolean =>
  one.passage === other.passage && one.end <= other.start && other.start - one.end <= 2

/** Passages by their best sentence, sentences as they stand in their passage. */
function inReadableOrder(sentences: RankedSentence[]): RankedSentence[] {
  const order = [...new Set(sentences.map(({ passage }) => passage))]
  return sentences.toSorted(
    (one, other) => order.indexOf(one.passage) - order.indexOf(other.passage) || one.start - other.start,
  )
}

/** Glued to a word, as in `items[2]`, it is a part of that. */
const foreignMarkers = /(?<!\s)\s*(?<![\p{L}\p{N}_)\]])(?:\[\d+(?:\s?[,–-]\s?\d+)*\]\s*)+/gu

/**
 * A passage may have citations of its own, which would point to our results. The quotation is cut around them, and
 * each piece is cited by itself.
 */
function piecesOf({ passage, start, text }: Quote): Quote[] {
  const pieces: Quote[] = []
  const add = (from: number, to: number) => {
    if (/[\p{L}\p{N}]/u.test(text.slice(from, to))) {
      pieces.push({ passage, start: start + from, end: start + to, text: text.slice(from, to) })
    }
  }
  let from = 0
  for (const marker of text.matchAll(foreignMarkers)) {
    add(from, marker.index)
    from = marker.index + marker[0].length
  }
  add(from, text.length)
  return pieces
}

function written(quotes: Quote[]): ExtractiveAnswer {
  let text = ''
  quotes.forEach((quote, place) => {
    const previous = quotes[place - 1]
    // What stood on lines of its own does so again.
    if (previous) text += isLine(previous.text) && isLine(quote.text) ? '\n' : ' '
    text += `${quote.text} [${quote.passage + 1}]`
  })
  return { text, quotes }
}

const isLine = (text: string): boolean => !/[.!?…。！？]["'”’»)]*$/.test(text)
