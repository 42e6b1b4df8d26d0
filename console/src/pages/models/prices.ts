import type { Schemas } from '@parley/client'
import { price } from '../../ui/format.ts'

type Pricing = Schemas['Model']['pricing']

const decimals = 1e9

/** Prices are stored per 1,000 tokens and shown per million. */
export const perMillion = (amount: number | undefined): number | null =>
  amount === undefined ? null : Math.round(amount * 1000 * decimals) / decimals
export const perThousand = (amount: number): number => Number((amount / 1000).toPrecision(12))

/** The price per million tokens, in words. */
export function priceText(pricing: Pricing): string {
  if (pricing === null) return 'price not known'
  const { input = 0, output = 0 } = pricing
  if (input === 0 && output === 0) return 'free'
  const parts = [
    `${price(perMillion(input) ?? 0)} in`,
    ...(output > 0 ? [`${price(perMillion(output) ?? 0)} out`] : []),
  ]
  return parts.join(' · ')
}
