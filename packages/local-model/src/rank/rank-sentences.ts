import type { Span } from '../text/sentences.ts'
import { evidenceIn } from './evidence.ts'
import { wordMatcher } from './match-words.ts'
import { readQuestion } from './question.ts'
import { readSentences, type Sentence } from './read-sentences.ts'
import { closeness, type Embed } from './similarity.ts'

export interface RankablePassage {
  content: string
  /** What the search gave it; the order of the passages counts where it is missing. */
  score?: number | null
}

export interface RankedSentence extends Span {
  /** Which of the passages, from 0. */
  passage: number
  /** The characters `start` to `end` of the passage. */
  text: string
  /** About the share of what is asked that it speaks of. */
  score: number
  /** The same for the words alone, without what its passage and the kind of question add: 0 shares nothing. */
  fit: number
}

export interface RankOptions {
  embed?: Embed
  signal?: AbortSignal
}

/** Found on one half of XQuAD in three languages and checked on the other; the maximum is flat. */
const weights = {
  saturation: 0.8,
  length: 0.4,
  leastRarity: 0.4,
  context: 0.5,
  label: 0.25,
  passage: 0.2,
  number: 0.15,
  date: 0.2,
  name: 0.03,
  anything: 0,
}

/** Sentences beyond the best so many are left out: nobody quotes them. */
const mostRanked = 100

/** The sentences of the passages that speak of what is asked, the best first. */
export async function rankSentences(
  questionText: string,
  passages: readonly RankablePassage[],
  { embed, signal }: RankOptions = {},
): Promise<RankedSentence[]> {
  const question = readQuestion(questionText)
  const match = wordMatcher(question)
  const contents = passages.map(({ content }) => content)
  const sentences = await readSentences(contents, { terms: question.terms.length, match, signal })
  const rarity = rarities(sentences, question.terms.length)
  saturate(sentences)
  const best = bestOf(sentences, rarity, passages, embed !== undefined)
  for (const each of best) {
    if (each.fit > 0) each.score += weights[question.expected] * evidenceIn(each.text, question, match)
  }
  if (embed) await addCloseness(questionText, best, embed)
  return best.sort(byScore)
}

const byScore = (one: RankedSentence, other: RankedSentence): number =>
  other.score - one.score || one.passage - other.passage || one.start - other.start

/** What few sentences say tells more. Each term's part of what all of them tell. */
function rarities(sentences: Sentence[], terms: number): Float64Array {
  const having = new Float64Array(terms)
  for (const { hits } of sentences) {
    for (let term = 0; hits && term < terms; term++) having[term] = (having[term] ?? 0) + Math.min(1, hits[term] ?? 0)
  }
  const rarity = having.map(
    (count) => weights.leastRarity + Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5)),
  )
  // A word that is nowhere can be no rarer than the rarest that is somewhere, however many sentences there are.
  const rarest = rarity.reduce((most, each, term) => ((having[term] ?? 0) > 0 ? Math.max(most, each) : most), 0)
  const bounded = rarity.map((each) => Math.min(each, rarest))
  const all = bounded.reduce((sum, each) => sum + each, 0)
  return all === 0 ? bounded : bounded.map((each) => each / all)
}

/** The same word again adds ever less, and less in a long sentence than in a short one. */
function saturate(sentences: Sentence[]): void {
  const usual = sentences.reduce((sum, { words }) => sum + words, 0) / sentences.length
  const { saturation, length } = weights
  for (const { hits, words } of sentences) {
    const drag = saturation * (1 - length + (length * words) / usual)
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
  withStrangers: boolean,
): RankedSentence[] {
  const bonus = passageBonus(passages)
  let best: RankedSentence[] = []
  let least = withStrangers ? -1 : 0
  for (const sentence of sentences) {
    const { passage, start, end } = sentence
    const fit = lexicalFit(sentence, rarity)
    const score = fit === 0 ? 0 : fit + (bonus[passage] ?? 0)
    if (score <= least) continue
    best.push({ passage, start, end, text: passages[passage]?.content.slice(start, end) ?? '', score, fit })
    if (best.length < mostRanked * 8) continue
    best = best.sort(byScore).slice(0, mostRanked)
    least = best.at(-1)?.score ?? least
  }
  return best.sort(byScore).slice(0, mostRanked)
}

function lexicalFit({ hits, previous, label, isLabel }: Sentence, rarity: Float64Array): number {
  if (!hits && !previous?.hits && !label?.hits) return 0
  let fit = 0
  for (let term = 0; term < rarity.length; term++) {
    const around = Math.max(previous?.hits?.[term] ?? 0, label?.hits?.[term] ?? 0)
    fit += (rarity[term] ?? 0) * Math.max(hits?.[term] ?? 0, weights.context * around)
  }
  return isLabel ? fit * weights.label : fit
}

function passageBonus(passages: readonly RankablePassage[]): number[] {
  const scores = passages.map(({ score }) => (Number.isFinite(score) ? Math.max(0, score ?? 0) : null))
  const highest = scores.reduce<number>((high, score) => Math.max(high, score ?? 0), 0)
  return scores.map((score, place) => {
    const standing = score !== null && highest > 0 ? score / highest : 1 / (1 + place)
    return weights.passage * standing
  })
}

async function addCloseness(question: string, sentences: RankedSentence[], embed: Embed): Promise<void> {
  const texts = sentences.map(({ text }) => text)
  const close = await closeness(question, texts, embed)
  sentences.forEach((sentence, place) => {
    const near = close[place] ?? 0
    sentence.score += near
    sentence.fit = Math.max(sentence.fit, near)
  })
}
