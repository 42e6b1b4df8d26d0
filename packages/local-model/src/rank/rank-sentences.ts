import { rowInWords } from '../text/table-rows.ts'
import { evidenceIn } from './evidence.ts'
import { type MatchWord, synonymsIn, wordMatcher } from './match-words.ts'
import { asksTheSame, type Question, readQuestion } from './question.ts'
import type { RankablePassage, RankedSentence, RankOptions } from './ranked-sentence.ts'
import { hitsIn, readSentences, type Sentence } from './read-sentences.ts'
import { type Embed, similarities } from './similarity.ts'

/** Tuned on one half of XQuAD in three languages and checked on the other; the optimum is flat. */
const weights = {
  saturation: 0.8,
  length: 0.4,
  minRarity: 0.4,
  context: 0.5,
  decay: 0.6,
  source: 0.4,
  headings: 0.5,
  /** The name of a column is as good as a word of the row. */
  header: 0.9,
  label: 0.25,
  passage: 0.2,
  /** With the built-in models, values from 0.2 to 0.6 gave the same result on XQuAD. */
  similarity: 0.3,
  /** Whether a sentence has the expected kind of answer. */
  evidence: 0.15,
  definition: 0.3,
  /** The heading above asks what the question asks. */
  asked: 0.3,
}

/** Headings that ask something else can be as near to a question as this. */
const unlike = 0.5

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
  const texts = passages.flatMap(({ content, headings = [] }) => [content, ...headings])
  const match = wordMatcher(question, embed && (await synonymsIn(texts, question, embed)))
  const sentences = await readSentences(passages, { terms: question.terms.length, match, signal })
  const rarity = rarities(sentences, question.terms.length)
  saturate(sentences)
  const best = selectBest(sentences, rarity, passages, match, embed !== undefined)
  for (const each of best) addEvidence(each, passages, question, match)
  if (embed) await addSimilarity(questionText, best, passages, embed)
  for (const each of best) each.score += weights.asked * each.asked
  return best.sort(byScore)
}

function addEvidence(
  sentence: RankedSentence,
  passages: readonly RankablePassage[],
  question: Question,
  match: MatchWord,
): void {
  const { passage, header, text, fit } = sentence
  if (asksTheSame(sentence.heading, question)) sentence.asked = 1
  const columns = header ? (passages[passage]?.content.slice(header.start, header.end) ?? '') : ''
  if (fit > 0) sentence.evidence = evidenceIn(text, question, match, columns)
  sentence.score += (question.expected === 'definition' ? weights.definition : weights.evidence) * sentence.evidence
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

function selectBest(
  sentences: Sentence[],
  rarity: Float64Array,
  passages: readonly RankablePassage[],
  match: MatchWord,
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
    const heading = hitsIn(sentence.heading, { terms: rarity.length, match })
    best.push({
      passage,
      start,
      end,
      text: passages[passage]?.content.slice(start, end) ?? '',
      score,
      fit,
      own: ownFit(sentence, heading, rarity),
      terms: ownTerms(sentence, heading),
      heading: sentence.heading,
      similarity: 0,
      asked: 0,
      evidence: 0,
      isLabel: sentence.isLabel,
      kind: sentence.kind,
      isIntroduced: sentence.isIntroduced,
      header: sentence.header,
    })
    if (best.length < maxRanked * 8) continue
    best = best.sort(byScore).slice(0, maxRanked)
    minScore = best.at(-1)?.score ?? minScore
  }
  return best.sort(byScore).slice(0, maxRanked)
}

function lexicalFit(sentence: Sentence, rarity: Float64Array): number {
  const context = collectContext(sentence)
  if (!sentence.hits && context.length === 0) return 0
  let fit = 0
  for (let term = 0; term < rarity.length; term++) {
    const own = sentence.hits?.[term] ?? 0
    const around = context.reduce((most, { hits, weight }) => Math.max(most, (hits[term] ?? 0) * weight), 0)
    fit += (rarity[term] ?? 0) * Math.max(own, around)
  }
  return sentence.isLabel ? fit * weights.label : fit
}

/** The share of the question's terms in the sentence itself, the heading above it or the header of its table. */
const ownFit = ({ hits, header }: Sentence, heading: number[] | null, rarity: Float64Array): number =>
  rarity.reduce((sum, weight, term) => {
    const all = [hits?.[term], header?.hits?.[term], heading?.[term]]
    return sum + weight * Math.min(1, Math.max(...all.map((hit) => hit ?? 0)))
  }, 0)

const ownTerms = ({ hits, header }: Sentence, heading: number[] | null): Set<number> =>
  new Set(
    [hits, header?.hits, heading].flatMap((each) =>
      (each ?? []).flatMap((strength, term) => (strength > 0 ? [term] : [])),
    ),
  )

/** The term matches of the heading above, the sentences before and the document's name. Distant ones weigh less. */
function collectContext({ label, header, headings, source, previous }: Sentence): { hits: number[]; weight: number }[] {
  const context: { hits: number[]; weight: number }[] = []
  if (label?.hits) context.push({ hits: label.hits, weight: weights.context })
  if (header?.hits) context.push({ hits: header.hits, weight: weights.header })
  if (headings) context.push({ hits: headings, weight: weights.headings })
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

async function addSimilarity(
  question: string,
  sentences: RankedSentence[],
  passages: readonly RankablePassage[],
  embed: Embed,
): Promise<void> {
  const texts = sentences.map(({ text, passage, kind, start, end, heading }) => {
    const { content = '', headings } = passages[passage] ?? {}
    const said = kind === 'row' ? (rowInWords(content, { start, end }, headings) ?? text) : text
    return heading === '' ? said : `${heading}\n${said}`
  })
  const headings = [...new Set(sentences.map(({ heading }) => heading))]
  const similar = await similarities(question, [...texts, ...headings], embed)
  sentences.forEach((sentence, index) => {
    sentence.similarity = similar[index] ?? 0
    sentence.score += weights.similarity * sentence.similarity
    const near = sentence.heading === '' ? 0 : (similar[texts.length + headings.indexOf(sentence.heading)] ?? 0)
    sentence.asked = Math.max(sentence.asked, (near - unlike) / (1 - unlike))
  })
}
