/** Settings of a run. */
export interface Run {
  /** Everything in one run: less of each, so that it ends within ten minutes. */
  isFull: boolean
  /** How long each load lasts. */
  seconds: number
  /** The folder with test sets and documents. */
  data: string | undefined
  /** The URL of a Postgres server. */
  database: string | undefined
  /** The folder of another checkout, to compare with. */
  before: string | undefined
}

/** A part of the bench. `prepare` makes data, without measuring: in a full run, all benches prepare at once. */
export interface Bench {
  /** Explains its figures in the report. */
  about: string
  prepare?(run: Run): Promise<void>
  measure(run: Run): Promise<Figure[]>
}

export interface Figure {
  name: string
  /** Left out: it was not measured, and `missing` says why. */
  value?: number
  missing?: string
  unit: string
  /** A baseline, measured in the same run in the same unit. */
  reference?: { name: string; value: number }
  /** The same of the checkout in BENCH_BEFORE, measured in turn. */
  before?: number
  /** Figures with an aim are in the summary, the others only in the details. */
  aim?: Aim
}

export interface Aim {
  /** Default: the value itself. */
  of?: 'ratio' | 'difference'
  min?: number
  max?: number
}

export const missing = (name: string, why: string): Figure => ({ name, missing: why, unit: '', aim: {} })

export const computeRatio = ({ value, reference }: Figure): number | undefined =>
  value === undefined || reference === undefined ? undefined : value / reference.value

/** Whether a figure reaches its aim; undefined without an aim or a value. */
export function isReached({ value, reference, aim }: Figure): boolean | undefined {
  if (value === undefined || aim === undefined || (aim.min ?? aim.max) === undefined) return undefined
  const compared = {
    value,
    ratio: value / (reference?.value ?? Number.NaN),
    difference: value - (reference?.value ?? Number.NaN),
  }[aim.of ?? 'value']
  return compared >= (aim.min ?? Number.NEGATIVE_INFINITY) && compared <= (aim.max ?? Number.POSITIVE_INFINITY)
}

export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
