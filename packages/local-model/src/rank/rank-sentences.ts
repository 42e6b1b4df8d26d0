import type { Span } from '../text/sentences.ts'
import { evidenceIn } from './evidence.ts'
import { wordMatcher } from './match-words.ts'
import { readQuestion } from './question.ts'
import { readSentences, type Sentence } from './read-sentences.ts'
import { type Embed, similarities } from './similarity.ts'

export interface RankablePassage {
  content: string
  /** From the search. Without it, the order of the passages counts. */
  score?: number | null
  /** The name of its document, which tells what it is about. */
  source?: string | null
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
  /** How near its meaning is to the question, from 0 to 1; 0 without embeddings. */
  similarity: number
  /** Whether it has the kind of answer that is asked for, from 0 to 1. */
  evidence: number
  /** A heading, a question or the introduction of a list. */
  isLabel: boolean
}

export interface RankOptions {
  embed?: Embed
  signal?: AbortSignal
}

/** Tuned on one half of XQuAD in three languages and checked on the other; the optimum is flat. */
const weights = {
  saturation: 0.8,
  length: 0.4,
  minRarity: 0.4,
  context: 0.5,
  decay: 0.6,
  source: 0.4,
  label: 0.25,
  passage: 0.2,
  number: 0.15,
  date: 0.2,
  name: 0.03,
  definition: 0.4,
  anything: 0,
  /** With the built-in models, values from 0.2 to 0.6 gave the same result on XQuAD. */
  similarity: 0.3,
}

const maxRanked = 100
/** How many sentences before one are its context. */
const maxPrevious = 3

/** The sentences of the passages that match the question, best first. */
export async function rankSentences(
  questionText: string,
  passages: readonly RankablePassage[],
  { embed, signal }: RankOptions = {},
): Promise<RankedSentence[]> {
  const question = readQuestion(questionText)
  const match = wordMatcher(question)
  const sentences = await readSentences(passages, { terms: question.terms.length, match, signal })
  const rarity = rarities(sentences, question.terms.length)
  saturate(sentences)
  const best = bestOf(sentences, rarity, passages, embed !== undefined)
  for (const each of best) {
    if (each.fit > 0) each.evidence = evidenceIn(each.text, question, match)
    each.score += weights[question.expected] * each.evidence
  }
  if (embed) await addSimilarity(questionText, best, embed)
  return best.sort(byScore)
}

const byScore = (one: RankedSentence, other: RankedSentence): number =>
  other.score - one.score || one.passage - other.passage || one.start - other.start

/** The weight of each term: higher if fewer sentences have it. The weights add up to 1. */
function rarities(sentences: Sentence[], terms: number): Float64Array {
  const occurrences = new Float64Array(terms)
  for (const { hits } of sentences) {
    for (let term = 0; hits && term < terms; term++)
      occurrences[term] = (occurrences[term] ?? 0) + Math.min(1, hits[term] ?? 0)
  }
  const rarity = occurrences.map(
    (count) => weights.minRarity + Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5)),
  )
  // A term without any occurrence weighs no more than the rarest one that occurs.
  const rarest = rarity.reduce((max, each, term) => ((occurrences[term] ?? 0) > 0 ? Math.max(max, each) : max), 0)
  const bounded = rarity.map((each) => Math.min(each, rarest))
  const all = bounded.reduce((sum, each) => sum + each, 0)
  return all === 0 ? bounded : bounded.map((each) => each / all)
}

/** BM25 saturation: repeating a word adds ever less, and less in a long sentence. */
function saturate(sentences: Sentence[]): void {
  const meanLength = sentences.reduce((sum, { words }) => sum + words, 0) / sentences.length
  const { saturation, length } = weights
  for (const { hits, words } of sentences) {
    const drag = saturation * (1 - length + (length * words) / meanLength)
    for (let term = 0; hits && term < hits.length; term++) {
      const hit = hits[term] ?? 0
      if (hit > 0) hits[term] = (hit * (1 + saturation)) / (hit + drag)
    }
  }
}

function bestOf(
  sentences: Sentence[],
  rarity: Float64Array,
  passages: readonly RankablePassage[],
  includeUnmatched: boolean,
): RankedSentence[] {
  const bonus = passageBonus(passages)
  let best: RankedSentence[] = []
  let minScore = includeUnmatched ? -1 : 0
  for (const sentence of sentences) {
    const { passage, start, end } = sentence
    const fit = lexicalFit(sentence, rarity)
    const score = fit === 0 ? 0 : fit + (bonus[passage] ?? 0)
    if (score <= minScore) continue
    best.push({
      passage,
      start,
      end,
      text: passages[passage]?.content.slice(start, end) ?? '',
      score,
      fit,
      similarity: 0,
      evidence: 0,
      isLabel: sentence.isLabel,
    })
    if (best.length < maxRanked * 8) continue
    best = best.sort(byScore).slice(0, maxRanked)
    minScore = best.at(-1)?.score ?? minScore
  }
  return best.sort(byScore).slice(0, maxRanked)
}

function lexicalFit(sentence: Sentence, rarity: Float64Array): number {
  const context = contextOf(sentence)
  if (!sentence.hits && context.length === 0) return 0
  let fit = 0
  for (let term = 0; term < rarity.length; term++) {
    const own = sentence.hits?.[term] ?? 0
    const around = context.reduce((most, { hits, weight }) => Math.max(most, (hits[term] ?? 0) * weight), 0)
    fit += (rarity[term] ?? 0) * Math.max(own, around)
  }
  return sentence.isLabel ? fit * weights.label : fit
}

/** What the heading above, the sentences before and the name of the document add. Further away counts less. */
function contextOf({ label, source, previous }: Sentence): { hits: number[]; weight: number }[] {
  const context: { hits: number[]; weight: number }[] = []
  if (label?.hits) context.push({ hits: label.hits, weight: weights.context })
  if (source) context.push({ hits: source, weight: weights.source })
  let weight = weights.context
  for (let each = previous, at = 0; each && at < maxPrevious; each = each.previous, at++) {
    if (each.hits) context.push({ hits: each.hits, weight })
    weight *= weights.decay
  }
  return context
}

function passageBonus(passages: readonly RankablePassage[]): number[] {
  const scores = passages.map(({ score }) => (Number.isFinite(score) ? Math.max(0, score ?? 0) : null))
  const highest = scores.reduce<number>((high, score) => Math.max(high, score ?? 0), 0)
  return scores.map((score, index) => {
    const relevance = score !== null && highest > 0 ? score / highest : 1 / (1 + index)
    return weights.passage * relevance
  })
}

async function addSimilarity(question: string, sentences: RankedSentence[], embed: Embed): Promise<void> {
  const texts = sentences.map(({ text }) => text)
  const similar = await similarities(question, texts, embed)
  sentences.forEach((sentence, index) => {
    sentence.similarity = similar[index] ?? 0
    sentence.score += weights.similarity * sentence.similarity
  })
}
