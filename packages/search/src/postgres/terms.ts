import type { AnalysedText } from '../analysis/analyse.ts'
import { bm25Weight } from '../ranking/bm25.ts'

export const sparseDimensions = 1_000_000_000
/** pgvector allows 16,000 in one sparse vector. */
const maxTermsPerPart = 10_000

/**
 * A passage is found by keys: one for each of its terms, and extra ones if the term weighs much there. A search for a
 * frequent term looks only for the passages in which it weighs much.
 */
const levels = [0, 1.3, 1.6]
export const levelNumbers = levels.map((_, level) => level)

/** A key belongs to one index, so that no index searches through the passages of another. Equal keys of two terms are harmless. */
export function termKey(index: string, term: number, level: number): number {
  let value = Math.imul(term ^ Math.imul(Number(BigInt(index) % 0xffff_fffbn), 0x9e3779b1), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 15) ^ Math.imul(level + 1, 0x2c1b3c6d), 0xc2b2ae35)
  return value ^ (value >>> 16)
}

/** Part of the words of a passage: its keys and the weights of its terms. */
export interface WordPart {
  keys: number[]
  weights: string
}

export function wordParts(index: string, { terms, counts, length }: AnalysedText, averageLength: number): WordPart[] {
  const parts: WordPart[] = []
  for (let from = 0; from < terms.length; from += maxTermsPerPart) {
    const keys = new Set<number>()
    const weights = new Map<number, number>()
    const end = Math.min(terms.length, from + maxTermsPerPart)
    for (let at = from; at < end; at++) {
      const term = terms[at] as number
      const weight = bm25Weight(counts[at] as number, length, averageLength)
      for (const [level, minWeight] of levels.entries()) if (weight >= minWeight) keys.add(termKey(index, term, level))
      addWeight(weights, term, weight)
    }
    parts.push({ keys: [...keys], weights: sparseVector(weights) })
  }
  return parts
}

export function addWeight(weights: Map<number, number>, term: number, weight: number): void {
  const dimension = (term % sparseDimensions) + 1
  weights.set(dimension, (weights.get(dimension) ?? 0) + weight)
}

/** Formats a sparse vector for pgvector. */
export function sparseVector(weights: ReadonlyMap<number, number>): string {
  const elements = [...weights].sort(([one], [other]) => one - other)
  return `{${elements.map(([dimension, weight]) => `${dimension}:${weight.toPrecision(5)}`).join(',')}}/${sparseDimensions}`
}
