import type { Ranked } from './candidate.ts'

/** The share of a passage's own relevance; the rest is its difference from the passages selected before. */
const relevanceShare = 0.5

/** Maximal marginal relevance: selects passages one by one that are relevant and unlike those selected. Keeps the order. */
export function selectDiverse<C>(
  ranked: readonly Ranked<C>[],
  limit: number,
  similarity: (one: C, other: C) => number,
): Ranked<C>[] {
  const left = ranked.map((item, position) => ({ item, position, maxSimilarity: 0 }))
  const selected: typeof left = []
  while (left.length > 0 && selected.length < limit) {
    let next = 0
    let bestGain = Number.NEGATIVE_INFINITY
    left.forEach(({ item, maxSimilarity }, at) => {
      const gain = relevanceShare * item.relevance - (1 - relevanceShare) * maxSimilarity
      if (gain > bestGain) {
        next = at
        bestGain = gain
      }
    })
    const [picked] = left.splice(next, 1)
    if (!picked) break
    selected.push(picked)
    for (const other of left) {
      const likeness = similarity(picked.item.candidate, other.item.candidate)
      other.maxSimilarity = Math.max(other.maxSimilarity, likeness)
    }
  }
  return selected.sort((one, other) => one.position - other.position).map(({ item }) => item)
}
