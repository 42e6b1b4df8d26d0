import type { SearchRequest } from '../search-index.ts'
import type { Candidate, Ranked } from './candidate.ts'
import { fuse } from './fusion.ts'
import { selectDiverse } from './mmr.ts'

const minCandidates = 100

/** How many candidates an engine should retrieve by words, and as many by vectors. */
export const candidateCount = ({ topK, rerank, candidates = minCandidates }: SearchRequest): number =>
  Math.max(candidates, (rerank === 'mmr' ? 3 : 1) * topK)

/** Scores the candidates and orders them, best first. Equal ones keep their order. */
export const order = <C extends Candidate>(request: SearchRequest, candidates: readonly C[]): Ranked<C>[] =>
  fuse(request, candidates).filter(({ score }) => score >= (request.scoreThreshold ?? 0))

/** Picks the results. */
export const select = <C extends Candidate>(
  { topK, rerank }: SearchRequest,
  ordered: readonly Ranked<C>[],
  similarity: (one: C, other: C) => number,
): Ranked<C>[] => (rerank === 'mmr' ? selectDiverse(ordered, topK, similarity) : ordered.slice(0, topK))

/** Keeps the first of passages with the same text, ignoring white space. */
export function distinct<R>(ordered: readonly R[], readText: (item: R) => string): R[] {
  const texts = new Set<string>()
  return ordered.filter((item) => {
    const text = readText(item).replace(/\s+/g, ' ').trim()
    return !texts.has(text) && texts.add(text)
  })
}

/**
 * The request for another attempt with more candidates, if passages with the same text leave fewer results than wanted.
 * Undefined if there are no more candidates, or this is that attempt.
 */
export function widened(request: SearchRequest, candidates: number, picked: number): SearchRequest | undefined {
  const isExhausted = candidates < candidateCount(request) || request.candidates !== undefined
  return picked >= request.topK || isExhausted ? undefined : { ...request, candidates: 10 * candidateCount(request) }
}
