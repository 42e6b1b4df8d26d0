import type { TokenUsage } from '../../kernel/llm/model.ts'

/** US dollars per 1,000 tokens. */
export interface Price {
  input?: number
  output?: number
  cached_input?: number
  cache_write?: number
}

const nanoPerDollar = 1_000_000_000

const nanoPer1k = (dollars: number | undefined) => BigInt(Math.round((dollars ?? 0) * nanoPerDollar))

/** The input tokens by how they are priced. */
function inputClasses({ input, cachedInput, cacheWrite = 0 }: TokenUsage) {
  const cached = Math.min(cachedInput, input)
  const written = Math.min(cacheWrite, input - cached)
  return { cached: BigInt(cached), written: BigInt(written), fresh: BigInt(input - cached - written) }
}

/** In integer nano-dollars, rounded once. */
export function computeCost(usage: TokenUsage, price: Price | null): number {
  if (price === null) return 0
  const { cached, written, fresh } = inputClasses(usage)
  const perThousand =
    fresh * nanoPer1k(price.input) +
    cached * nanoPer1k(price.cached_input ?? price.input) +
    written * nanoPer1k(price.cache_write ?? price.input) +
    BigInt(usage.output) * nanoPer1k(price.output)
  return Number((perThousand + 500n) / 1000n)
}

/** The same, or null if the price is not known. */
export const knownCost = (usage: TokenUsage, price: Price | null): number | null =>
  price === null ? null : computeCost(usage, price)

/** Nano-dollars that the provider's cache saved, less what writing it cost more. Negative if it was not worth it. */
export function savedByCache(usage: TokenUsage, price: Price | null): number {
  if (price === null) return 0
  return computeCost({ ...usage, cachedInput: 0, cacheWrite: 0 }, price) - computeCost(usage, price)
}

export const nanoDollars = (dollars: number): number => Math.round(dollars * nanoPerDollar)

export const dollars = (nano: number): number => nano / nanoPerDollar
