export type Tone = 'accent' | 'bad' | 'warn' | 'muted' | `series-${2 | 3 | 4 | 5}` | `hue-${number}-${number}`

export interface Series {
  name: string
  tone: Tone
  /** One for each time; null where there is none. */
  values: (number | null)[]
}

export interface TimeChartProps {
  title: string
  /** Starts of the steps, as timestamps or UTC days. */
  times: string[]
  series: Series[]
  /** Bars are stacked if there are several series. */
  kind?: 'bars' | 'lines'
  /** The sums of the period before, step by step. */
  previous?: (number | null)[] | undefined
  format: (value: number) => string
  /** Values are counted, so that half of one is no mark of the axis. */
  isCount?: boolean
  label: (time: string) => string
  /** A dragged range becomes the period of the page. Without it, the chart alone zooms in. */
  onZoom?: (from: string, to: string) => void
}

export interface Pointed {
  /** The index of the step, and where it is. */
  at: number
  left: number
  isRight: boolean
}

export interface Drawing {
  reset(): void
  destroy(): void
}
