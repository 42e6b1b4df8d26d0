import type { SearchRequest } from '../search-index.ts'
import type { Candidate, Ranked } from './candidate.ts'
import { fuse } from './fusion.ts'
import { selectDiverse } from './mmr.ts'

const minCandidates = 100

/** How many candidates an engine should retrieve by words, and as many by vectors. */
export const candidateCount = ({ topK, rerank }: SearchRequest): number =>
  Math.max(minCandidates, (rerank === 'mmr' ? 3 : 1) * topK)

/** Fuses the scores and picks the results, best first. Equal scores keep the order of the candidates. */
export function rank<C extends Candidate>(
  request: SearchRequest,
  candidates: readonly C[],
  similarity: (one: C, other: C) => number,
): Ranked<C>[] {
  const { topK, rerank, scoreThreshold = 0 } = request
  const ranked = fuse(request, candidates)
    .filter(({ score }) => score > 0 && score >= scoreThreshold)
    .sort((one, other) => other.score - one.score)
  return rerank === 'mmr' ? selectDiverse(ranked, topK, similarity) : ranked.slice(0, topK)
}
