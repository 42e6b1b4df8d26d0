/** How often each value occurs. */
export interface Occurrences {
  value: number
  count: number
}

/** Exact, by nearest rank: the least value that at least so many of a hundred do not exceed. */
export function percentilesOf(occurrences: Occurrences[]): Record<'p50' | 'p95' | 'p99', number | null> {
  const sorted = occurrences.map(({ value, count }) => ({ value: Number(value), count: Number(count) }))
  sorted.sort((a, b) => a.value - b.value)
  const total = sorted.reduce((sum, { count }) => sum + count, 0)
  const at = (percent: number): number | null => {
    const rank = Math.ceil((percent * total) / 100)
    let seen = 0
    for (const { value, count } of sorted) {
      seen += count
      if (seen >= rank) return value
    }
    return null
  }
  return { p50: at(50), p95: at(95), p99: at(99) }
}
