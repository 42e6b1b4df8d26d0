import type { Schemas } from '@parley/client'

export type Review = Schemas['Review']

export const reasonLabels: Record<Review['reason'], string> = {
  feedback: 'Thumbs down',
  low_score: 'Low score',
  failed: 'Failed',
  sampled: 'Sample',
  manual: 'Added by hand',
}
