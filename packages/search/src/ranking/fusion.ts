import { miniLmModel } from '@parley/embedding'
import { familiarity } from '../preparation.ts'
import type { SearchRequest } from '../search-index.ts'
import type { Candidate, Ranked, VectorModel } from './candidate.ts'

/** The share of the vector side in a hybrid score, by the model of the vectors, for a language that it knows well. */
const vectorShares: Record<VectorModel, number> = { static: 0.35, embedding: 0.6 }
/** The cosine of a relevant passage is higher than the share of the query that its words cover. */
const cosineScale = 0.7

/**
 * The logistic function of three things: the evidence of a passage; that of the best other one, because of two that are as good one is
 * probably wrong; and the mean of those on ranks 11 to 20, which is high where the whole index is about the query. Fitted to the first ten
 * results on the English XQuAD and on English manual pages, half of the time without the passage that answers. docs/knowledge.md has the
 * reliability on other sets.
 */
const calibration = { constant: -4.7, evidence: 24.7, other: -14.2, background: -8.5 }
/** The evidence of the best other passage in most searches. */
const typicalOther = 0.25
const backgroundRanks = { from: 10, to: 20 }

/** Best first. The score is the probability that a passage answers the query. */
export function fuse<C extends Candidate>(request: SearchRequest, candidates: readonly C[]): Ranked<C>[] {
  const share = vectorShare(request)
  const weighed = candidates.flatMap((candidate) => {
    const parts = { keyword: candidate.keyword, vector: clampCosine(candidate) }
    const weight = share(candidate)
    const evidence = weight.vector * cosineScale * parts.vector + weight.keyword * parts.keyword
    return evidence > 0 ? [{ candidate, parts, evidence }] : []
  })
  weighed.sort((one, other) => other.evidence - one.evidence)
  const { from, to } = backgroundRanks
  const background = weighed.slice(from, to).reduce((sum, { evidence }) => sum + evidence, 0) / (to - from)
  const highest = weighed[0]?.evidence ?? 0
  // Passages with the same text have the same evidence, and do not contradict each other.
  const second = weighed.find(({ evidence }) => evidence < highest)?.evidence ?? 0
  return weighed.map(({ candidate, parts, evidence }) => ({
    candidate,
    parts,
    score: probability(evidence, evidence < highest ? highest : second, background),
    relevance: probability(evidence, typicalOther, background),
  }))
}

const probability = (evidence: number, other: number, background: number): number =>
  1 /
  (1 +
    Math.exp(
      -calibration.constant -
        calibration.evidence * evidence -
        calibration.other * other -
        calibration.background * background,
    ))

/**
 * Vectors count less the less their model knows the language of the query. Words count by how much of the query they cover, so
 * they weigh little where few of them occur: in code, or in documents of another language.
 */
function vectorShare(request: SearchRequest): (candidate: Candidate) => { vector: number; keyword: number } {
  const { mode, query, weights, embedding } = request
  const chosen = weights && weights.vector + weights.keyword > 0 ? weights : undefined
  const known = { static: familiarity(query), embedding: 1 }
  if (!embedding || embedding.model === miniLmModel.id) known.embedding = known.static
  return ({ model }) => {
    if (mode === 'keyword' || model === null) return { vector: 0, keyword: mode === 'vector' ? 0 : 1 }
    if (mode === 'vector') return { vector: known[model], keyword: 0 }
    const vector = chosen ? chosen.vector / (chosen.vector + chosen.keyword) : vectorShares[model] * known[model]
    return { vector, keyword: 1 - vector }
  }
}

/** Passages that point away from the query count as unrelated. */
const clampCosine = ({ cosine, model }: Candidate): number => (model === null ? 0 : Math.min(1, Math.max(0, cosine)))
