import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { blockAfter } from '../text/blocks.ts'
import { isLabel } from '../text/labels.ts'
import { splitSentences } from '../text/sentences.ts'
import type { Span } from '../text/span.ts'
import { isHeader, isRow } from '../text/table-rows.ts'
import { eachWord } from '../text/words.ts'
import type { MatchWord } from './match-words.ts'

/** A sentence, a row of a table or a whole list of a passage, with the terms it shares with the question. */
export interface Sentence extends Span {
  kind: 'sentence' | 'row' | 'block'
  /** A block with the sentence that introduces it. */
  isIntroduced: boolean
  passage: number
  words: number
  isLabel: boolean
  /** The sentence before and the heading above give its context. */
  previous: Sentence | null
  label: Sentence | null
  /** The header of the table of a row. */
  header: Sentence | null
  /** The heading above it, or the innermost one of its passage. */
  heading: string
  /** The terms in the name of the document and in the headings above the passage, shared by its sentences. */
  source: number[] | null
  headings: number[] | null
  /** Strength of the match for each term of the question. Null if none matches. */
  hits: number[] | null
}

export interface ReadOptions {
  terms: number
  match: MatchWord
  signal?: AbortSignal | undefined
}

export interface ReadablePassage {
  content: string
  /** The name of its document, which tells what it is about. */
  source?: string | null
  /** The headings above it, outermost first. */
  headings?: readonly string[]
}

/** Other work gets a turn after so many characters. */
const blockLength = 64 * 1024

/** Characters after a block that show whether its last sentence ends there. */
const lookahead = 256

/** Reads the passages sentence by sentence, without blocking the event loop for long. */
export async function readSentences(passages: readonly ReadablePassage[], options: ReadOptions): Promise<Sentence[]> {
  const sentences: Sentence[] = []
  let left = blockLength
  for (const [passage, { content, source, headings = [] }] of passages.entries()) {
    const state: State = {
      passage,
      previous: null,
      label: null,
      header: null,
      heading: headings.findLast((each) => !each.startsWith('|')) ?? '',
      source: hitsIn(source ?? '', options),
      headings: hitsIn(headings.join(' '), options),
    }
    for (let from = 0; from < content.length; ) {
      const length = readBlock(content, from, state, options, sentences)
      from += length
      left -= length
      if (left > 0) continue
      left = blockLength
      await yieldToEventLoop()
      options.signal?.throwIfAborted()
    }
  }
  return sentences
}

/** Returns the number of characters read. A sentence that may continue in the next block is left to it. */
function readBlock(content: string, from: number, state: State, options: ReadOptions, sentences: Sentence[]): number {
  const text = content.slice(from, from + blockLength + lookahead)
  const spans = splitSentences(text, blockLength)
  const last = spans.at(-1)
  const isUnfinished = last !== undefined && last.start > 0 && from + blockLength < content.length
  const end = isUnfinished ? last.start : blockLength
  for (const [index, span] of spans.entries()) {
    if (span.start < end) readSentence(text, from, span, spans[index + 1], state, options, sentences)
  }
  return end
}

type State = Pick<Sentence, 'passage' | 'previous' | 'label' | 'header' | 'heading' | 'source' | 'headings'>

function readSentence(
  text: string,
  offset: number,
  span: Span,
  next: Span | undefined,
  state: State,
  options: ReadOptions,
  sentences: Sentence[],
): void {
  const isTableRow = isRow(text, span)
  if (!isTableRow) state.header = null
  const sentence: Sentence = {
    ...state,
    kind: isTableRow ? 'row' : 'sentence',
    isIntroduced: false,
    start: span.start + offset,
    end: span.end + offset,
    words: 0,
    isLabel: false,
    hits: null,
  }
  readWords(text, span, sentence, options)
  if (sentence.words === 0) return
  sentences.push(sentence)
  if (isTableRow) {
    if (isHeader(text, span)) {
      sentence.isLabel = true
      state.header = sentence
    }
    return // neighbouring rows are no context
  }
  if (isLabel(text, span, next)) {
    sentence.isLabel = true
    state.label = sentence
    state.heading = text.slice(span.start, span.end)
  }
  state.previous = sentence
  const block = blockAfter(text, span)
  if (block) sentences.push(readIntroducedBlock(text, offset, span, block, sentence, options))
}

/** The list or code after a sentence with a colon, together with that sentence. Below a heading, the list alone. */
function readIntroducedBlock(
  text: string,
  offset: number,
  intro: Span,
  { start, end, isIntroduced }: Span & { isIntroduced: boolean },
  sentence: Sentence,
  options: ReadOptions,
): Sentence {
  const span = { start: isIntroduced ? intro.start : start, end }
  const block: Sentence = {
    ...sentence,
    kind: 'block',
    isIntroduced,
    start: span.start + offset,
    end: span.end + offset,
    words: 0,
    isLabel: false,
    label: sentence,
    hits: null,
  }
  readWords(text, { start, end }, block, options)
  block.hits = block.hits?.map((hit) => Math.min(1, hit)) ?? null
  if (sentence.hits) block.hits = sentence.hits.map((hit, term) => Math.max(hit, block.hits?.[term] ?? 0))
  block.words = sentence.words
  return block
}

function readWords(text: string, { start, end }: Span, sentence: Sentence, { terms, match }: ReadOptions): void {
  eachWord(text, start, end, (word) => {
    sentence.words++
    const found = match(word)
    if (!found) return
    sentence.hits ??= new Array<number>(terms).fill(0)
    sentence.hits[found.term] = (sentence.hits[found.term] ?? 0) + found.strength
  })
}

export function hitsIn(text: string, { terms, match }: Pick<ReadOptions, 'terms' | 'match'>): number[] | null {
  let hits: number[] | null = null
  eachWord(text, 0, text.length, (word) => {
    const found = match(word)
    if (!found) return
    hits ??= new Array<number>(terms).fill(0)
    hits[found.term] = Math.max(hits[found.term] ?? 0, found.strength)
  })
  return hits
}
