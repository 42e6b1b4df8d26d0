import type { Span } from '../text/span.ts'
import type { ReadablePassage, Sentence } from './read-sentences.ts'
import type { Embed } from './similarity.ts'

export interface RankablePassage extends ReadablePassage {
  /** From the search. Without it, the order of the passages counts. */
  score?: number | null
}

export interface RankedSentence extends Span {
  /** Index of the passage, from 0. */
  passage: number
  /** The characters `start` to `end` of the passage. */
  text: string
  /** Roughly the share of the question's terms that it covers, plus bonuses. */
  score: number
  /** The share of the question's terms alone; 0 if it has none. */
  fit: number
  /** The same without the sentences before and the name of the document. */
  own: number
  /** Which of the question's terms the sentence has, or the heading or the columns above it. */
  terms: ReadonlySet<number>
  /** How near its meaning is to the question, from 0 to 1; 0 without embeddings. */
  similarity: number
  /** How near the heading above it is to the question, from 0 to 1. */
  asked: number
  /** Whether it has the kind of answer that is asked for, from 0 to 1. */
  evidence: number
  /** A heading, a question, the introduction of a list or the header of a table. */
  isLabel: boolean
  kind: Sentence['kind']
  /** A list or code that a sentence with a colon introduces. */
  isIntroduced: boolean
  /** The heading above it; empty if there is none. */
  heading: string
  /** The header of its table, if it is a row. */
  header: Span | null
}

export interface RankOptions {
  embed?: Embed
  signal?: AbortSignal
}
