import { type ModelAddress, type Pool, routeTo } from './create-model.ts'
import { getJson, type Route } from './http.ts'
import { ProviderError } from './model.ts'
import { providerNamed } from './providers.ts'

/** A model that a provider lists. */
export interface OfferedModel {
  id: string
  contextWindow: number | null
  /** US dollars per token. */
  pricing: { input: number; output: number } | null
  /** The day on which the provider shuts it down (YYYY-MM-DD), if it has announced one. */
  shutdownDate: string | null
}

interface Item {
  id?: unknown
  name?: unknown
  context_length?: unknown
  context_window?: unknown
  max_model_len?: unknown
  inputTokenLimit?: unknown
  pricing?: { prompt?: unknown; completion?: unknown }
  shutdown_date?: unknown
}

/** The models that a provider offers for a key. */
export async function listModels(
  address: Pick<ModelAddress, 'provider' | 'endpoint' | 'apiKey'>,
  pool: Pool,
  signal: AbortSignal,
): Promise<OfferedModel[]> {
  const body = (await getJson(listRoute(address, pool), signal)) as { data?: unknown; models?: unknown } | null
  const items = Array.isArray(body) ? body : (body?.data ?? body?.models)
  if (!Array.isArray(items)) throw new ProviderError('malformed', 'The provider sent no list of models.')
  return items.flatMap((item: Item | null) => (item ? offered(item) : []))
}

function listRoute(address: Pick<ModelAddress, 'provider' | 'endpoint' | 'apiKey'>, pool: Pool): Route {
  const { protocol } = providerNamed(address.provider)
  /** With the key in a header of the provider's own. */
  const withKeyIn = (header: string, path: string, more: Record<string, string> = {}): Route => {
    const route = routeTo(address, pool, path)
    const { authorization, ...headers } = route.headers
    return { ...route, headers: { ...headers, ...more, ...(address.apiKey !== null && { [header]: address.apiKey }) } }
  }
  switch (protocol) {
    case 'anthropic':
      return withKeyIn('x-api-key', '/models?limit=1000', { 'anthropic-version': '2023-06-01' })
    case 'google':
      return withKeyIn('x-goog-api-key', '/models?pageSize=1000')
    case 'cohere': {
      // Cohere lists its models in the first version of its API only.
      const route = routeTo(address, pool, '/models?page_size=1000')
      return { ...route, path: route.path.replace('/v2/models', '/v1/models') }
    }
    default:
      return routeTo(address, pool, '/models')
  }
}

function offered(item: Item): OfferedModel[] {
  const id = typeof item.id === 'string' ? item.id : item.name
  if (typeof id !== 'string' || id === '') return []
  const window = [item.context_length, item.context_window, item.max_model_len, item.inputTokenLimit].find(
    (size) => Number.isSafeInteger(size) && Number(size) > 0,
  )
  const [input, output] = [Number(item.pricing?.prompt), Number(item.pricing?.completion)]
  return [
    {
      id: id.replace(/^models\//, ''),
      contextWindow: window === undefined ? null : Number(window),
      pricing: input >= 0 && output >= 0 ? { input, output } : null,
      shutdownDate: isDate(item.shutdown_date) ? item.shutdown_date.slice(0, 10) : null,
    },
  ]
}

const isDate = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
