import { analyseQuery, type QueryWord } from '../analysis/analyse.ts'
import type { Candidate, VectorModel } from '../ranking/candidate.ts'
import { candidateCount } from '../ranking/rank.ts'
import type { SearchRequest } from '../search-index.ts'
import type { MemoryIndex } from './memory-index.ts'
import type { VectorSet } from './vector-set.ts'

/** The query's vectors by model. */
export type QueryVectors = { [model in VectorModel]?: Float32Array | undefined }

export interface PassageCandidate extends Candidate {
  passage: number
}

/** The best passages by words and by each vector, in index order, with keyword scores. Also returns the words of the query. */
export function retrieveCandidates(
  index: MemoryIndex,
  request: SearchRequest,
  vectors: QueryVectors,
): { words: QueryWord[]; candidates: PassageCandidate[] } {
  const selected = index.selected(request.documents)
  const words = analyseQuery(request.query, index.languages(selected))
  const allowed = index.allowed(request.filters, selected)
  const limit = candidateCount(request)
  const hasKeywords = request.mode !== 'vector'
  const found = new Set(hasKeywords ? index.searchKeywords(words, allowed, limit, selected) : [])
  for (const { set, vector } of vectorSets(index, vectors)) {
    for (const passage of set.nearest(set.encodeQuery(vector), allowed, limit)) found.add(passage)
  }
  const candidates = Array.from(Uint32Array.from(found).sort(), (passage) => ({
    passage,
    keyword: hasKeywords ? index.coverage(passage) : 0,
    cosine: 0,
    model: null,
  }))
  return { words, candidates }
}

/** Compares each candidate by the best model that has a vector for it. Drops candidates that were removed meanwhile. */
export function compareVectors(
  index: MemoryIndex,
  candidates: readonly PassageCandidate[],
  vectors: QueryVectors,
): PassageCandidate[] {
  const sets = vectorSets(index, vectors).map(({ set, vector, model }) => ({
    set,
    model,
    query: set.encodeQuery(vector),
  }))
  return candidates
    .filter(({ passage }) => index.has(passage))
    .map((candidate) => {
      const { passage } = candidate
      const found = sets.find(({ set }) => set.has(passage))
      return found ? { ...candidate, cosine: found.set.cosine(found.query, passage), model: found.model } : candidate
    })
}

/** The embedding model comes first. Once every passage has its vector, the static model is not needed. */
function vectorSets(index: MemoryIndex, vectors: QueryVectors) {
  const sets: { model: VectorModel; set: VectorSet; vector: Float32Array }[] = []
  if (index.embeddings && vectors.embedding) {
    sets.push({ model: 'embedding', set: index.embeddings, vector: vectors.embedding })
    if (index.isEmbedded) return sets
  }
  if (vectors.static) sets.push({ model: 'static', set: index.staticVectors, vector: vectors.static })
  return sets
}
