import type { Hit } from '../search-index.ts'

/** The static model comes with the index; the embedding model is chosen for each index. */
export type VectorModel = 'static' | 'embedding'

/** A passage that an engine retrieved, with its scores by words and vectors. */
export interface Candidate {
  /** The BM25 score as a share of the highest possible one; 0 if no word matches. */
  keyword: number
  /** The cosine with the query, by `model`. */
  cosine: number
  /** Null if the passage was not compared by vector. */
  model: VectorModel | null
}

export interface Ranked<C> extends Pick<Hit, 'score' | 'parts'> {
  candidate: C
  /** The score without regard to the best other passage, so that similar passages do not lower it. */
  relevance: number
}
