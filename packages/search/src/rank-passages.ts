import { analyseQuery } from './analysis/analyse.ts'
import { embedStatic, type Preparation } from './preparation.ts'
import { bm25Weight, rarity, saturation } from './ranking/bm25.ts'
import type { Candidate } from './ranking/candidate.ts'
import { distinct, order } from './ranking/rank.ts'
import { decodeVector } from './vectors.ts'

interface PassageCandidate extends Candidate {
  passage: number
}

/**
 * Ranks passages by words and static vectors as an index does, but without one: for the few thousand passages of some
 * documents that are searched seldom. Returns their positions, best first, without those that repeat a text.
 */
export function rankPassages(
  passages: readonly Preparation[],
  query: string,
  topK: number,
  readText: (passage: number) => string,
): { passage: number; score: number }[] {
  const keywords = keywordScores(passages, query)
  const vector = embedStatic(query)
  const candidates = passages.map(
    (prepared, passage): PassageCandidate => ({
      passage,
      keyword: keywords[passage] as number,
      cosine: cosine(vector, prepared.vector),
      model: 'static',
    }),
  )
  const ordered = distinct(order({ query, topK }, candidates), ({ candidate }) => readText(candidate.passage))
  return ordered.slice(0, topK).map(({ candidate, score }) => ({ passage: candidate.passage, score }))
}

function keywordScores(passages: readonly Preparation[], query: string): Float64Array {
  const scores = new Float64Array(passages.length)
  const average = passages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length)
  const languages = [...new Set(passages.map(({ language }) => language))]
  let maxScore = 0
  for (const { terms, weight } of analyseQuery(query, languages)) {
    const counts = passages.map((passage) => terms.reduce((sum, term) => sum + termCount(passage, term), 0))
    const importance = weight * rarity(counts.filter((count) => count > 0).length, passages.length)
    maxScore += importance * (saturation + 1)
    counts.forEach((count, at) => {
      if (count === 0) return
      const { length } = passages[at] as Preparation
      scores[at] = (scores[at] as number) + importance * bm25Weight(count, length, average)
    })
  }
  return maxScore === 0 ? scores : scores.map((score) => score / maxScore)
}

/** The terms are sorted. */
function termCount({ terms, counts }: Preparation, term: number): number {
  let low = 0
  let high = terms.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = terms[middle] as number
    if (found === term) return counts[middle] as number
    if (found < term) low = middle + 1
    else high = middle - 1
  }
  return 0
}

function cosine(query: Float32Array, encoded: Uint8Array): number {
  const { values, scale } = decodeVector(encoded)
  let product = 0
  let squares = 0
  for (let at = 0; at < query.length; at++) {
    const value = query[at] as number
    product += value * (values[at] as number)
    squares += value * value
  }
  return squares === 0 ? 0 : (product * scale) / Math.sqrt(squares)
}
