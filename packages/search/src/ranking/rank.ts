import type { Hit, SearchRequest } from '../search-index.ts'
import { fuse } from './fusion.ts'
import { selectDiverse } from './mmr.ts'

/** The static model comes with the index; the embedding model is chosen for each index. */
export type VectorModel = 'static' | 'embedding'

/** A passage that an engine retrieved, with what words and vectors say about it. */
export interface Candidate {
  /** The BM25 score; 0 if no word matches. */
  keyword: number
  /** The cosine with the query, by `model`. */
  cosine: number
  /** Null if the passage was not compared by vector. */
  model: VectorModel | null
}

export interface Ranked<C> extends Pick<Hit, 'score' | 'parts'> {
  candidate: C
}

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
