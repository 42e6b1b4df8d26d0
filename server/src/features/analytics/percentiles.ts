export type Percentiles = Record<'p50' | 'p95' | 'p99', number | null>

/** Exact, by nearest rank. Sorts the values. */
export function percentilesOf(values: Float64Array): Percentiles {
  values.sort()
  const at = (percent: number): number | null => values[Math.ceil((percent * values.length) / 100) - 1] ?? null
  return { p50: at(50), p95: at(95), p99: at(99) }
}
