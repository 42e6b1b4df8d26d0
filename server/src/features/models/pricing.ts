import { invalid } from '../../kernel/errors.ts'
import type { Model, ModelWarning, Pricing } from './schema.ts'
import { listPrice } from './well-known.ts'

/** The built-in models cost nothing. */
export const free: Pricing = { input: 0, output: 0 }

/** The known price of a model at its provider's own address. Another address may ask for another price. */
export const ownPrice = ({ provider, model_id, endpoint }: Pick<Model, 'provider' | 'model_id' | 'endpoint'>) =>
  endpoint === null ? listPrice(provider, model_id) : null

export const withoutPrice: ModelWarning = {
  code: 'price_unknown',
  message:
    'This model has no price: its calls are counted as free, and blocking cost thresholds refuse them. Set its price; if it is free, set it to 0.',
}

const priceNames = ['input', 'output', 'cached_input', 'cache_write'] as const
type PriceName = (typeof priceNames)[number]

/** Prices that were sent per 1k are stored in both forms, so that both are read. */
export function normalisePricing(pricing: Pricing, type: Model['type'], previous: Pricing | null): Pricing {
  const value = (name: PriceName) => priceIn(pricing, name, previous)
  const isLong = priceNames.some((name) => pricing[`${name}_per_1k`] !== undefined)
  const isMixed =
    isLong && priceNames.some((name) => pricing[name] !== undefined && pricing[`${name}_per_1k`] === undefined)
  if (isMixed) invalid('pricing', 'mixes two forms; use {input, output} or {input_per_1k, output_per_1k}')
  const [input, cached, written] = [value('input'), value('cached_input'), value('cache_write')]
  // Only chat models have output.
  const output = value('output') ?? (type === 'chat' ? undefined : 0)
  if (input === undefined) return invalid('pricing.input', 'is required: without it, input would be free')
  if (output === undefined) return invalid('pricing.output', 'is required: without it, output would be free')
  return {
    input,
    output,
    ...(cached !== undefined && { cached_input: cached }),
    ...(written !== undefined && { cache_write: written }),
    ...(isLong && { input_per_1k: input, output_per_1k: output }),
    ...(isLong && cached !== undefined && { cached_input_per_1k: cached }),
    ...(isLong && written !== undefined && { cache_write_per_1k: written }),
  }
}

/** A client that sends back what it has read may have changed either form. */
function priceIn(pricing: Pricing, name: PriceName, previous: Pricing | null): number | undefined {
  const [short, long] = [pricing[name], pricing[`${name}_per_1k`]]
  if (short === undefined || long === undefined || short === long) return short ?? long
  const changed = [short, long].filter((value) => value !== previous?.[name])
  return changed.length === 1 ? changed[0] : invalid(`pricing.${name}`, `differs from ${name}_per_1k; send one of them`)
}
