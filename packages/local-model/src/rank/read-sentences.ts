import { setImmediate as nextTurn } from 'node:timers/promises'
import { isLabel } from '../text/labels.ts'
import { type Span, sentencesOf } from '../text/sentences.ts'
import { eachWord } from '../text/words.ts'
import type { MatchWord } from './match-words.ts'

/** A sentence of a passage with what it has in common with the question. */
export interface Sentence extends Span {
  passage: number
  words: number
  isLabel: boolean
  /** The one before it, and the heading or question above it: they say what it is about. */
  previous: Sentence | null
  label: Sentence | null
  /** By term of the question: how much of it is here. Null for none of any. */
  hits: number[] | null
}

export interface ReadOptions {
  terms: number
  match: MatchWord
  signal?: AbortSignal | undefined
}

/** Characters that are read before others get their turn. */
const breath = 64 * 1024

/** What is seen of the text behind a piece, to know whether its last sentence ends there. */
const outlook = 256

/** Reads the passages sentence by sentence, without holding up the process for long. */
export async function readSentences(contents: readonly string[], options: ReadOptions): Promise<Sentence[]> {
  const sentences: Sentence[] = []
  let left = breath
  for (const [passage, content] of contents.entries()) {
    const state: State = { passage, previous: null, label: null }
    for (let from = 0; from < content.length; ) {
      const length = readPiece(content, from, state, options, sentences)
      from += length
      left -= length
      if (left > 0) continue
      left = breath
      await nextTurn()
      options.signal?.throwIfAborted()
    }
  }
  return sentences
}

/** How much was read: the last sentence of a piece may go on in the next one and is read again there. */
function readPiece(content: string, from: number, state: State, options: ReadOptions, sentences: Sentence[]): number {
  const text = content.slice(from, from + breath + outlook)
  const spans = sentencesOf(text, breath)
  const last = spans.at(-1)
  const isUnfinished = last !== undefined && last.start > 0 && from + breath < content.length
  const end = isUnfinished ? last.start : breath
  for (const [place, span] of spans.entries()) {
    if (span.start < end) readSentence(text, from, span, spans[place + 1], state, options, sentences)
  }
  return end
}

interface State {
  passage: number
  previous: Sentence | null
  label: Sentence | null
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
  const { passage, previous, label } = state
  const sentence: Sentence = { start, end, passage, words: 0, isLabel: false, previous, label, hits: null }
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
