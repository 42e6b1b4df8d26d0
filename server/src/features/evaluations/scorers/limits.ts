import { Type } from 'typebox'
import { type Mark, scorerKind } from './scorer.ts'

/** 1 within the limit, else limit / used. */
function withinLimit(used: number, max: number, unit: string): Mark {
  if (used <= max) return { score: 1 }
  return { score: max / used, reason: `It took ${used} ${unit}; the limit is ${max}.` }
}

export const latency = scorerKind({
  config: Type.Object(
    { max_ms: Type.Number({ exclusiveMinimum: 0, maximum: 1e9, description: 'The maximum in milliseconds.' }) },
    { additionalProperties: false },
  ),
  defaultThreshold: () => 1,
  score: ({ max_ms }, { latencyMs }) => withinLimit(latencyMs, max_ms, 'milliseconds'),
})

const nanoPerDollar = 1_000_000_000

export const cost = scorerKind({
  config: Type.Object(
    { max_usd: Type.Number({ minimum: 0, maximum: 1e6, description: 'The maximum in US dollars.' }) },
    { additionalProperties: false },
  ),
  defaultThreshold: () => 1,
  score: ({ max_usd }, { costNano }) => withinLimit(costNano / nanoPerDollar, max_usd, 'US dollars'),
})
