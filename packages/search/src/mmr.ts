import { byScore, type Scored } from './best.ts'

/** Of what is gained by choosing a passage, the share that is its own score; the rest is being unlike the others. */
const relevanceShare = 0.5

/** Maximal marginal relevance: each next passage is good and unlike those chosen. They keep their order by score. */
export function diverse<T extends Scored>(
  found: readonly T[],
  most: number,
  similarity: (one: number, other: number) => number,
): T[] {
  const left = found.map((candidate) => ({ candidate, likeness: 0 }))
  const chosen: T[] = []
  while (left.length > 0 && chosen.length < most) {
    let next = 0
    let gain = Number.NEGATIVE_INFINITY
    left.forEach(({ candidate, likeness }, at) => {
      const value = relevanceShare * candidate.score - (1 - relevanceShare) * likeness
      if (value > gain) {
        next = at
        gain = value
      }
    })
    const [picked] = left.splice(next, 1)
    if (!picked) break
    chosen.push(picked.candidate)
    for (const other of left) {
      other.likeness = Math.max(other.likeness, similarity(picked.candidate.passage, other.candidate.passage))
    }
  }
  return chosen.sort(byScore)
}
