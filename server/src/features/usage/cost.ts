import type { TokenUsage } from '../../kernel/llm/model.ts'

/** US dollars per 1,000 tokens. */
export interface Price {
  input?: number
  output?: number
  cached_input?: number
}

const nanoPerDollar = 1_000_000_000

/** In integer nano-dollars, rounded once. */
export function costOf(usage: TokenUsage, price: Price | null): number {
  if (price === null) return 0
  const nanoPer1k = (dollars: number | undefined) => BigInt(Math.round((dollars ?? 0) * nanoPerDollar))
  const fresh = BigInt(Math.max(0, usage.input - usage.cachedInput))
  const perThousand =
    fresh * nanoPer1k(price.input) +
    BigInt(Math.min(usage.cachedInput, usage.input)) * nanoPer1k(price.cached_input ?? price.input) +
    BigInt(usage.output) * nanoPer1k(price.output)
  return Number((perThousand + 500n) / 1000n)
}

export const nanoDollars = (dollars: number): number => Math.round(dollars * nanoPerDollar)

export const dollars = (nano: number): number => nano / nanoPerDollar
