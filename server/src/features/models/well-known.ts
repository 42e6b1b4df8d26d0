import { calcPrice, findProvider, type ModelInfo, type PriceCalculationResult } from '@pydantic/genai-prices'
import type { OfferedModel } from '../../kernel/llm/list-models.ts'
import type { ModelWarning, Pricing } from './schema.ts'

/** The facts that the provider lists, else those of the price list. Prices are per 1,000 tokens, like `pricing`. */
export function knownFacts(provider: string, { id, contextWindow, pricing, shutdownDate }: OfferedModel) {
  return {
    context_window: contextWindow ?? knownWindow(provider, id),
    pricing: pricing
      ? { input: perThousand(pricing.input, 1), output: perThousand(pricing.output, 1) }
      : toPricing(findAnywhere(provider, id)),
    warnings: shutdownDate === null ? [] : [shutdownWarning(shutdownDate)],
  }
}

const shutdownWarning = (date: string): ModelWarning => ({
  code: 'shutdown',
  message: `The provider shuts this model down on ${date}. Choose another model before.`,
})

/** The price of a provider for its model, null if it is not known. */
export const listPrice = (provider: string, modelId: string): Pricing | null => toPricing(find(provider, modelId))

/** The context window in tokens. The list of OpenRouter has windows that the lists of the models' makers lack. */
export function knownWindow(provider: string, modelId: string): number | null {
  const model = findAnywhere(provider, modelId)?.model
  if (!model) return null
  const hasWindow = ({ id, context_window }: ModelInfo) => context_window !== undefined && id.endsWith(`/${model.id}`)
  const routed = () => findProvider({ providerId: 'openrouter' })?.models.find(hasWindow)?.context_window
  return model.context_window ?? routed() ?? null
}

/** The price list is part of its package. It is never fetched: that would need `updatePrices`. */
const find = (provider: string, modelId: string): PriceCalculationResult =>
  calcPrice({}, modelId, { providerId: provider.toLowerCase() })

/** Gateways keep the names of models, so these are found by name. Ollama does too, but its models are other ones. */
const findAnywhere = (provider: string, modelId: string): PriceCalculationResult =>
  find(provider, modelId) ??
  (provider.toLowerCase() === 'ollama' ? null : calcPrice({}, modelId.split('/').at(-1) ?? modelId))

/** Takes the lowest price where prices rise with the length of the prompt. */
function toPricing(found: PriceCalculationResult): Pricing | null {
  const price = (name: string): number | undefined => {
    const dollars = found?.model_price[name]
    return dollars === undefined ? undefined : perThousand(typeof dollars === 'number' ? dollars : dollars.base, 1e6)
  }
  const [input, output = 0] = [price('input_mtok'), price('output_mtok')]
  const [cached, written] = [price('cache_read_mtok'), price('cache_write_mtok')]
  return input === undefined
    ? null
    : {
        input,
        output,
        ...(cached !== undefined && { cached_input: cached }),
        ...(written !== undefined && { cache_write: written }),
      }
}

const perThousand = (dollars: number, tokens: number): number => Number(((dollars * 1000) / tokens).toPrecision(12))
