type Percentiles = Record<'p50' | 'p95' | 'p99', number | null>

/** A bucket is 10 % wider than the one before, so a percentile is at most 5 % off. */
const bucketsPerFactorOfE = 10

/** SQL: the bucket of a duration in milliseconds. Durations below 12 ms have buckets of their own. */
export const bucket = (milliseconds: string): string =>
  `cast(round(ln(${milliseconds} + 1) * ${bucketsPerFactorOfE}) as integer)`

const duration = (bucket: number): number => Math.round(Math.exp(bucket / bucketsPerFactorOfE) - 1)

/** Counts durations by bucket. */
export class Histogram {
  readonly #counts = new Map<string, number>()

  /** @param histograms JSON objects of counts by bucket, with commas between them. */
  constructor(histograms = '') {
    for (const counts of JSON.parse(`[${histograms}]`) as Record<string, number>[])
      for (const bucket in counts) this.#add(bucket, counts[bucket] as number)
  }

  #add(bucket: string, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count)
  }

  addAll(other: Histogram): void {
    for (const [bucket, count] of other.#counts) this.#add(bucket, count)
  }

  percentiles(): Percentiles {
    const buckets = [...this.#counts].map(([bucket, count]) => [Number(bucket), count] as const)
    buckets.sort(([one], [other]) => one - other)
    const size = buckets.reduce((sum, [, count]) => sum + count, 0)
    const at = (percent: number): number | null => {
      let left = Math.ceil((percent * size) / 100)
      for (const [bucket, count] of buckets) {
        left -= count
        if (left <= 0 && size > 0) return duration(bucket)
      }
      return null
    }
    return { p50: at(50), p95: at(95), p99: at(99) }
  }
}
