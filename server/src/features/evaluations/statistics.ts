/** Statistics for summaries and comparisons, named after their methods. */

const z95 = 1.959_963_984_540_054

/** Wilson's 95 % confidence interval of a rate. */
export function wilson(successes: number, total: number): [number, number] | null {
  if (total === 0) return null
  const rate = successes / total
  const square = z95 * z95
  const middle = rate + square / (2 * total)
  const reach = z95 * Math.sqrt((rate * (1 - rate)) / total + square / (4 * total * total))
  const scale = 1 + square / total
  // Rounding must not exclude the rate itself.
  const low = Math.min(rate, (middle - reach) / scale)
  const high = Math.max(rate, (middle + reach) / scale)
  return [Math.max(0, low), Math.min(1, high)]
}

/** Nearest-rank percentile of sorted values. */
export function percentile(sorted: number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null
}

export const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * McNemar's exact test, two-sided: how likely so uneven a split of the cases that changed is, if a change in either
 * direction were as likely as in the other.
 */
export function mcnemar(fixed: number, broken: number): number {
  const changed = fixed + broken
  if (changed === 0) return 1
  const fewer = Math.min(fixed, broken)
  // In logarithms, because 2^-n underflows for many cases.
  let logChance = -changed * Math.LN2
  let tail = Math.exp(logChance)
  for (let k = 1; k <= fewer; k++) {
    logChance += Math.log(changed - k + 1) - Math.log(k)
    tail += Math.exp(logChance)
  }
  return Math.min(1, 2 * tail)
}

/** Up to this many differences the exact distribution is used. */
const maxExact = 50

/**
 * Wilcoxon's signed-rank test, two-sided, for paired values. Pairs without a difference are left out, and equal
 * differences share their rank; exact for few pairs, else by the normal distribution with the correction for ties.
 */
export function wilcoxon(differences: number[]): number {
  const changed = differences.filter((difference) => difference !== 0)
  if (changed.length === 0) return 1
  const ranks = sharedRanks(changed.map(Math.abs))
  const positive = changed.reduce((sum, difference, index) => sum + (difference > 0 ? (ranks[index] ?? 0) : 0), 0)
  return changed.length <= maxExact ? exactTail(ranks, positive) : normalTail(ranks, positive)
}

/** Ranks from 1. Equal values share their mean rank. */
function sharedRanks(values: number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const ranks = new Array<number>(values.length).fill(0)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end + 1 < order.length && values[order[end + 1] ?? 0] === values[order[start] ?? 0]) end++
    for (let at = start; at <= end; at++) ranks[order[at] ?? 0] = (start + end) / 2 + 1
    start = end + 1
  }
  return ranks
}

function exactTail(ranks: number[], positive: number): number {
  const doubled = ranks.map((rank) => Math.round(rank * 2)) // shared ranks may be halves
  const total = doubled.reduce((sum, rank) => sum + rank, 0)
  let chances = new Float64Array(total + 1)
  chances[0] = 1
  for (const rank of doubled) {
    const next = new Float64Array(total + 1)
    for (let sum = 0; sum <= total; sum++) {
      next[sum] = ((chances[sum] ?? 0) + (sum >= rank ? (chances[sum - rank] ?? 0) : 0)) / 2
    }
    chances = next
  }
  const smaller = Math.min(Math.round(positive * 2), total - Math.round(positive * 2))
  let tail = 0
  for (let sum = 0; sum <= smaller; sum++) tail += chances[sum] ?? 0
  return Math.min(1, 2 * tail)
}

function normalTail(ranks: number[], positive: number): number {
  const count = ranks.length
  const expected = (count * (count + 1)) / 4
  const variance = ranks.reduce((sum, rank) => sum + rank * rank, 0) / 4 // with shared ranks, this is the tie correction
  const distance = Math.max(0, Math.abs(positive - expected) - 0.5) / Math.sqrt(variance)
  return Math.min(1, 2 * upperTail(distance))
}

/** Upper tail of the standard normal distribution: by series, and by Laplace's continued fraction for large values. */
function upperTail(z: number): number {
  if (z < 3) return 0.5 - series(z)
  let fraction = 0
  for (let k = 60; k > 0; k--) fraction = k / (z + fraction)
  return density(z) / (z + fraction)
}

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)

function series(z: number): number {
  let term = z
  let sum = z
  for (let k = 1; k < 200 && Math.abs(term) > 1e-17; k++) {
    term *= (z * z) / (2 * k + 1)
    sum += term
  }
  return sum * density(z)
}

/** Holm's correction for multiple comparisons. */
export function holm(values: number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const corrected = new Array<number>(values.length).fill(1)
  let least = 0
  for (const [rank, index] of order.entries()) {
    least = Math.max(least, Math.min(1, (values.length - rank) * (values[index] ?? 1)))
    corrected[index] = least
  }
  return corrected
}
