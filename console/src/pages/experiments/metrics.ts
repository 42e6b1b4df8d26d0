import type { Schemas } from '@parley/client'
import { costText, dollars, milliseconds, percent } from '../../ui/format.ts'

export type Experiment = Schemas['Experiment']
export type Variant = Experiment['variants'][number]

export const metricLabels: Record<string, string> = {
  feedback: 'Thumbs up',
  completion: 'Completed conversations',
  latency: 'Response time',
  cost: 'Cost of a conversation',
}

const formats: Record<string, (value: number) => string> = {
  latency: (value) => milliseconds(Math.round(value)),
  cost: dollars,
}

/** A value of a metric. Metrics without a format of their own, such as scores of monitors, are shares. */
export const valueText = (metric: string, value: number | null): string =>
  value === null ? '–' : (formats[metric] ?? percent)(value)

/** The mean of a variant. Calls without a price add nothing to a mean cost. */
export const meanText = (metric: string, mean: number | null, unpriced: number): string =>
  metric === 'cost' && mean !== null ? costText(mean, unpriced === 0) : valueText(metric, mean)

/** A difference, with its sign. */
export const differenceText = (metric: string, value: number): string =>
  `${value < 0 ? '−' : '+'}${valueText(metric, Math.abs(value))}`

export const variantName = ({ label, version }: Pick<Variant, 'label' | 'version'>): string =>
  label ?? `Version ${version}`
