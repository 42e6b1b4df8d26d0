import { miniLmModel } from '@parley/embedding'
import type { SearchRequest } from '../search-index.ts'
import type { Candidate, Ranked, VectorModel } from './candidate.ts'

/** The share of the vector side in a hybrid score, by the model of the vectors. */
const vectorWeights: Record<VectorModel, number> = { static: 0.3, embedding: 0.5 }
const shareBeyondModel = 0.4

export function fuse<C extends Candidate>(request: SearchRequest, candidates: readonly C[]): Ranked<C>[] {
  if (request.mode === 'vector') {
    return candidates.map((candidate) => {
      const score = cosineOf(candidate)
      return { candidate, score, parts: { keyword: 0, vector: score } }
    })
  }
  const weight = vectorWeight(request, candidates)
  const bestKeyword = highest(candidates, ({ keyword }) => keyword)
  const bestCosine = {
    static: highest(candidates, (candidate) => (candidate.model === 'static' ? cosineOf(candidate) : 0)),
    embedding: highest(candidates, (candidate) => (candidate.model === 'embedding' ? cosineOf(candidate) : 0)),
  }
  return candidates.map((candidate) => {
    const keyword = ratio(candidate.keyword, bestKeyword)
    // Relative to the best cosine of the same model. Stretching the range down to the worst candidate instead would
    // exaggerate small differences in languages that the model does not know.
    const vector = candidate.model === null ? 0 : ratio(cosineOf(candidate), bestCosine[candidate.model])
    const score = Math.min(1, weight * vector + (1 - weight) * keyword)
    return { candidate, score, parts: { keyword, vector } }
  })
}

/** By default the mean over the candidates, so that it shifts while an index is being embedded. */
function vectorWeight(request: SearchRequest, candidates: readonly Candidate[]): number {
  const { weights } = request
  const models = candidates.flatMap(({ model }) => (model === null ? [] : [model]))
  if (models.length === 0) return 0
  const sum = weights ? weights.vector + weights.keyword : 0
  if (weights && sum > 0) return weights.vector / sum
  const mean = models.reduce((total, model) => total + vectorWeights[model], 0) / models.length
  return isBeyondModel(request) ? mean * shareBeyondModel : mean
}

/** The built-in models were trained on English and know little of languages in other scripts. */
function isBeyondModel({ query, embedding }: SearchRequest): boolean {
  if (embedding && embedding.model !== miniLmModel.id) return false
  const letters = query.match(/\p{L}/gu)?.length ?? 0
  const latin = query.match(/\p{sc=Latin}/gu)?.length ?? 0
  return latin < letters / 2
}

/** Passages that point away from the query count as unrelated. */
const cosineOf = ({ cosine }: Candidate): number => Math.min(1, Math.max(0, cosine))

const ratio = (value: number, best: number): number => (best > 0 ? value / best : 0)

const highest = <C>(candidates: readonly C[], value: (candidate: C) => number): number =>
  candidates.reduce((most, candidate) => Math.max(most, value(candidate)), 0)
