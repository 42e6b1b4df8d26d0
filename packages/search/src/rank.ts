import { analyseQuery, type QueryWord } from './analyse.ts'
import { Best, byScore } from './best.ts'
import type { MemoryIndex } from './memory-index.ts'
import { diverse } from './mmr.ts'
import type { Hit, SearchRequest } from './search.ts'
import type { QueryVector, VectorSet } from './vector-set.ts'

/** How much the vector side counts in a hybrid search, with the static model alone and with a finer one. */
const staticWeight = 0.3
const fineWeight = 0.5
/** How many passages each side proposes, at least. */
const fewestCandidates = 100

/** The query as the models see it; a search by words alone needs none of them. */
export interface QueryVectors {
  static: Float32Array
  fine: Float32Array | undefined
}

/** The words of the query, the passages worth a closer look, and how well each matches by its words, relative to the best. */
export interface Proposal {
  words: QueryWord[]
  /** In their order in the index. */
  passages: Uint32Array
  keyword: Float32Array
}

/** How well each of the passages proposed fits. */
interface Fit {
  scores: Float64Array
  keyword: ArrayLike<number>
  vector: Float64Array
}

/** One model's vectors, with the query among them. */
interface Side {
  vectors: VectorSet
  query: QueryVector
  weight: number
}

/** The best passages by words and by the vectors to scan. */
export function propose(index: MemoryIndex, request: SearchRequest, scan: Partial<QueryVectors>): Proposal {
  const allowed = index.allowed(request.filters)
  const most = Math.max(fewestCandidates, (request.rerank === 'mmr' ? 3 : 1) * request.topK)
  const words = analyseQuery(request.query, index.languages)
  const byWords = request.mode === 'vector' ? undefined : index.byKeyword(words, allowed, most)
  const found = byWords ? [byWords.passages] : []
  withSides(index, scan, (sides) => {
    for (const { vectors, query } of sides) found.push(vectors.nearest(query, allowed, most))
  })
  const passages = distinct(found)
  const best = byWords?.highest
  const keyword = best ? index.keywordScores(passages, 1 / best) : new Float32Array(passages.length)
  return { words, passages, keyword }
}

function distinct(groups: Uint32Array[]): Uint32Array {
  const all = new Uint32Array(groups.reduce((sum, { length }) => sum + length, 0))
  let next = 0
  for (const group of groups) {
    all.set(group, next)
    next += group.length
  }
  all.sort()
  let kept = 0
  for (let at = 0; at < all.length; at++) if (at === 0 || all[at] !== all[at - 1]) all[kept++] = all[at] as number
  return all.subarray(0, kept)
}

/** What a search picks, known by its id. */
export interface Picked extends Pick<Hit, 'score' | 'parts'> {
  chunkId: string
}

/** Scores what was proposed, each passage by the best model that has a vector for it, and picks the results. */
export function settle(
  index: MemoryIndex,
  request: SearchRequest,
  proposal: Proposal,
  vectors: Partial<QueryVectors>,
): Picked[] {
  const { passages } = proposal
  const { scores, keyword, vector } = withSides(index, vectors, (sides) => fuse(request, proposal, sides))
  const isDiverse = request.rerank === 'mmr'
  const best = new Best(isDiverse ? passages.length : request.topK)
  const least = request.scoreThreshold ?? 0
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] as number
    // What was proposed may have been removed since.
    if (score >= least && index.has(passages[at] as number)) best.offer(at, score)
  }
  const good = Array.from(best.passages, (at) => ({
    passage: passages[at] as number,
    score: scores[at] as number,
    parts: { keyword: keyword[at] as number, vector: vector[at] as number },
  })).sort(byScore)
  const chosen = isDiverse ? diverse(good, request.topK, (one, other) => similarity(index, one, other)) : good
  return chosen.map(({ passage, score, parts }) => ({ chunkId: index.chunkId(passage), score, parts }))
}

/** The finer model comes first. */
function withSides<T>(index: MemoryIndex, vectors: Partial<QueryVectors>, work: (sides: Side[]) => T): T {
  const add = (set: VectorSet | undefined, vector: Float32Array | undefined, weight: number, next: typeof work) =>
    set && vector
      ? (sides: Side[]): T => set.withQuery(vector, (query) => next([...sides, { vectors: set, query, weight }]))
      : next
  return add(index.fine, vectors.fine, fineWeight, add(index.static, vectors.static, staticWeight, work))([])
}

function fuse(request: SearchRequest, { passages, keyword }: Proposal, sides: Side[]): Fit {
  const { cosines, side } = cosinesOf(passages, sides)
  if (request.mode === 'vector') return { scores: cosines, keyword: new Float32Array(passages.length), vector: cosines }
  const weight = sides.length === 0 ? 0 : (askedWeight(request) ?? usualWeight(side, sides))
  const vector = relative(cosines, side, sides.length)
  const scores = new Float64Array(passages.length)
  for (let at = 0; at < scores.length; at++) {
    scores[at] = Math.min(1, weight * (vector[at] as number) + (1 - weight) * (keyword[at] as number))
  }
  return { scores, keyword, vector }
}

/** Each passage's cosine, and by which side, or by none. What points away from the query counts as zero. */
function cosinesOf(passages: Uint32Array, sides: Side[]): { cosines: Float64Array; side: Uint8Array } {
  const cosines = new Float64Array(passages.length)
  const side = new Uint8Array(passages.length).fill(sides.length)
  sides.forEach(({ vectors, query }, number) => {
    const own = new Uint32Array(passages.length)
    let count = 0
    for (let at = 0; at < passages.length; at++) {
      const passage = passages[at] as number
      if (side[at] !== sides.length || !vectors.has(passage)) continue
      side[at] = number
      own[count++] = passage
    }
    const found = vectors.similarities(query, own.subarray(0, count))
    for (let at = 0, next = 0; at < passages.length; at++) {
      if (side[at] === number) cosines[at] = Math.min(1, Math.max(0, found[next++] as number))
    }
  })
  return { cosines, side }
}

/**
 * Cosines relative to the best of the same model. The zero stays where it is: stretching the worst candidate down to
 * zero would make much of small differences in languages that the model does not know.
 */
function relative(cosines: Float64Array, side: Uint8Array, sides: number): Float64Array {
  const best = new Float64Array(sides + 1)
  for (let at = 0; at < cosines.length; at++) {
    const number = side[at] as number
    best[number] = Math.max(best[number] as number, cosines[at] as number)
  }
  const parts = new Float64Array(cosines.length)
  for (let at = 0; at < cosines.length; at++) {
    const cosine = cosines[at] as number
    if (cosine > 0) parts[at] = cosine / (best[side[at] as number] as number)
  }
  return parts
}

function askedWeight({ weights }: SearchRequest): number | undefined {
  if (!weights) return undefined
  const sum = weights.vector + weights.keyword
  return sum > 0 ? weights.vector / sum : undefined
}

/** The mean of what the candidates' models weigh, so that it moves as more and more passages are refined. */
function usualWeight(side: Uint8Array, sides: Side[]): number {
  let sum = 0
  let count = 0
  for (let at = 0; at < side.length; at++) {
    const own = sides[side[at] as number]
    if (!own) continue // it was removed since
    sum += own.weight
    count++
  }
  return count === 0 ? 0 : sum / count
}

function similarity(index: MemoryIndex, one: number, other: number): number {
  const { fine } = index
  return fine?.has(one) && fine.has(other) ? fine.between(one, other) : index.static.between(one, other)
}
