import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isLabel } from '../text/labels.ts'
import { type Span, sentencesOf } from '../text/sentences.ts'
import { eachWord } from '../text/words.ts'
import type { MatchWord } from './match-words.ts'

/** A sentence of a passage with the terms it shares with the question. */
export interface Sentence extends Span {
  passage: number
  words: number
  isLabel: boolean
  /** The sentence before and the heading above give its context. */
  previous: Sentence | null
  label: Sentence | null
  /** The terms in the name of the document, shared by its sentences. */
  source: number[] | null
  /** Strength of the match for each term of the question. Null if none matches. */
  hits: number[] | null
}

export interface ReadOptions {
  terms: number
  match: MatchWord
  signal?: AbortSignal | undefined
}

/** Other work gets a turn after so many characters. */
const blockLength = 64 * 1024

/** Characters after a block that show whether its last sentence ends there. */
const lookahead = 256

/** Reads the passages sentence by sentence, without blocking the event loop for long. */
export async function readSentences(
  passages: readonly { content: string; source?: string | null }[],
  options: ReadOptions,
): Promise<Sentence[]> {
  const sentences: Sentence[] = []
  let left = blockLength
  for (const [passage, { content, source }] of passages.entries()) {
    const state: State = { passage, previous: null, label: null, source: hitsIn(source ?? '', options) }
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

/** Returns how much was read: a sentence that may go on in the next block is left for that. */
function readBlock(content: string, from: number, state: State, options: ReadOptions, sentences: Sentence[]): number {
  const text = content.slice(from, from + blockLength + lookahead)
  const spans = sentencesOf(text, blockLength)
  const last = spans.at(-1)
  const isUnfinished = last !== undefined && last.start > 0 && from + blockLength < content.length
  const end = isUnfinished ? last.start : blockLength
  for (const [index, span] of spans.entries()) {
    if (span.start < end) readSentence(text, from, span, spans[index + 1], state, options, sentences)
  }
  return end
}

interface State {
  passage: number
  previous: Sentence | null
  label: Sentence | null
  source: number[] | null
}

function readSentence(
  text: string,
  offset: number,
  span: Span,
  next: Span | undefined,
  state: State,
  { terms, match }: ReadOptions,
  sentences: Sentence[],
): void {
  const start = span.start + offset
  const end = span.end + offset
  const { passage, previous, label, source } = state
  const sentence: Sentence = { start, end, passage, words: 0, isLabel: false, previous, label, source, hits: null }
  eachWord(text, span.start, span.end, (word) => {
    sentence.words++
    const found = match(word)
    if (!found) return
    sentence.hits ??= new Array<number>(terms).fill(0)
    sentence.hits[found.term] = (sentence.hits[found.term] ?? 0) + found.strength
  })
  if (sentence.words === 0) return
  if (isLabel(text, span, next)) {
    sentence.isLabel = true
    state.label = sentence
  }
  state.previous = sentence
  sentences.push(sentence)
}

function hitsIn(text: string, { terms, match }: ReadOptions): number[] | null {
  let hits: number[] | null = null
  eachWord(text, 0, text.length, (word) => {
    const found = match(word)
    if (!found) return
    hits ??= new Array<number>(terms).fill(0)
    hits[found.term] = found.strength
  })
  return hits
}
