import { Type } from 'typebox'
import { type Mark, scorerKind } from './scorer.ts'

/** Within the bound the score is 1; beyond it, the part that the bound is of what was used. */
function within(used: number, most: number, unit: string): Mark {
  if (used <= most) return { score: 1 }
  return { score: most / used, reason: `It took ${used} ${unit}; at most ${most} are allowed.` }
}

export const latency = scorerKind({
  config: Type.Object(
    { max_ms: Type.Number({ exclusiveMinimum: 0, maximum: 1e9, description: 'Milliseconds for the whole answer.' }) },
    { additionalProperties: false },
  ),
  usualThreshold: () => 1,
  score: ({ max_ms }, { latencyMs }) => within(latencyMs, max_ms, 'milliseconds'),
})

const nanoPerDollar = 1_000_000_000

export const cost = scorerKind({
  config: Type.Object(
    { max_usd: Type.Number({ minimum: 0, maximum: 1e6, description: 'US dollars for one answer.' }) },
    { additionalProperties: false },
  ),
  usualThreshold: () => 1,
  score: ({ max_usd }, { costNano }) => within(costNano / nanoPerDollar, max_usd, 'US dollars'),
})
