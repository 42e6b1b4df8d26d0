export type Percentiles = Record<'p50' | 'p95' | 'p99', number | null>

/** Shorter durations are counted by value, which takes a tenth of the time of sorting them. */
const countedBelow = 2 ** 16

/** Durations in whole milliseconds. */
export class DurationSample {
  private readonly counts = new Uint32Array(countedBelow)
  private readonly longer: number[] = []
  private size = 0

  /** Adds these rows of a column, whose values are stored plus one; 0 is null. */
  add(column: Float64Array | undefined, rows: Uint32Array): void {
    if (!column) return
    const { counts, longer } = this
    for (let n = 0; n < rows.length; n++) {
      const value = (column[rows[n] as number] as number) - 1
      if (value < 0) continue
      this.size++
      if (value < countedBelow) counts[value] = (counts[value] as number) + 1
      else longer.push(value)
    }
  }

  /** Exact, by nearest rank. */
  percentiles(): Percentiles {
    this.longer.sort((a, b) => a - b)
    return { p50: this.at(50), p95: this.at(95), p99: this.at(99) }
  }

  private at(percent: number): number | null {
    let left = Math.ceil((percent * this.size) / 100)
    if (left === 0) return null
    for (const [value, count] of this.counts.entries()) {
      left -= count
      if (left <= 0) return value
    }
    return this.longer[left - 1] ?? null
  }
}

/** Exact percentiles of every step of a timeline. A step has few values, so sorting them is cheap. */
export class DurationsByStep {
  private readonly steps = new Map<string, number[]>()

  /** Adds a value as it is stored: plus one; 0 is null. */
  add(step: string, stored: number): void {
    if (stored === 0) return
    const values = this.steps.get(step)
    if (values) values.push(stored - 1)
    else this.steps.set(step, [stored - 1])
  }

  result(): Record<string, Percentiles> {
    return Object.fromEntries([...this.steps].map(([step, values]) => [step, percentilesOf(values)]))
  }
}

function percentilesOf(values: number[]): Percentiles {
  const sorted = Float64Array.from(values).sort()
  const at = (percent: number) => sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null
  return { p50: at(50), p95: at(95), p99: at(99) }
}
