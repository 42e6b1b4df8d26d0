import type { Embedding } from '@parley/embedding'
import { localModel } from '@parley/local-model'
import type { Dispatcher } from 'undici'
import { Problem } from '../errors.ts'
import { type SdkAddress, SdkEmbeddings, SdkLanguageModel } from './ai-sdk.ts'
import { type Place, type Timeouts, usualTimeouts } from './exchange.ts'
import { localEmbeddings } from './local-embeddings.ts'
import type { EmbeddingModel, LanguageModel, Reranker } from './model.ts'
import { OpenAiModel } from './openai.ts'
import { OpenAiEmbeddings } from './openai-embeddings.ts'
import { providerNamed } from './providers.ts'
import { WireReranker } from './rerank.ts'
import type { RetryOptions } from './retry.ts'

/** Which model, where, and the key to it. */
export interface ModelAddress {
  provider: string
  model_id: string
  type: 'chat' | 'embedding' | 'rerank'
  endpoint: string | null
  apiKey: string | null
  /** Further settings that go to the provider as they are. */
  options?: Record<string, unknown>
}

export interface ConnectOptions {
  timeouts?: Partial<Timeouts>
  /** For embeddings and reranking. A generation is tried again by whoever runs it, who knows what has been shown. */
  retry?: RetryOptions
  /** What the built-in embedding models run on. */
  embedding?: Embedding
}

export function languageModel(
  address: ModelAddress,
  dispatcher: Dispatcher,
  options: ConnectOptions = {},
): LanguageModel {
  const { wire } = providerNamed(address.provider)
  switch (wire) {
    case 'openai':
      return new OpenAiModel(
        place(address, dispatcher, options, '/chat/completions'),
        address.model_id,
        address.options,
      )
    case 'anthropic':
    case 'google':
    case 'cohere':
      return new SdkLanguageModel(sdkAddress(address, dispatcher, options, wire))
    case 'local':
      return localModel()
  }
}

export function embeddingModel(
  address: ModelAddress,
  dispatcher: Dispatcher,
  options: ConnectOptions = {},
): EmbeddingModel {
  const { wire } = providerNamed(address.provider)
  switch (wire) {
    case 'openai': {
      const route = place(address, dispatcher, options, '/embeddings')
      return new OpenAiEmbeddings(route, address.model_id, address.options, options.retry)
    }
    case 'google':
    case 'cohere':
      return new SdkEmbeddings({ ...sdkAddress(address, dispatcher, options, wire), wire }, options.retry)
    case 'anthropic':
      throw notOffered(address.provider, 'embedding')
    case 'local':
      if (!options.embedding) throw notOffered(address.provider, 'embedding')
      return localEmbeddings(address.model_id, options.embedding)
  }
}

export function reranker(address: ModelAddress, dispatcher: Dispatcher, options: ConnectOptions = {}): Reranker {
  const { wire } = providerNamed(address.provider)
  switch (wire) {
    case 'openai':
    case 'cohere': {
      const route = place(address, dispatcher, options, '/rerank')
      return new WireReranker(route, address.model_id, address.options, options.retry)
    }
    case 'anthropic':
    case 'google':
    case 'local':
      throw notOffered(address.provider, 'rerank')
  }
}

function place(address: ModelAddress, dispatcher: Dispatcher, options: ConnectOptions, route: string): Place {
  const { apiKey } = address
  const url = new URL(endpointOf(address))
  const headers = ['content-type', 'application/json', 'user-agent', 'parley']
  if (apiKey !== null) headers.push('authorization', `Bearer ${apiKey}`)
  return {
    origin: url.origin,
    // What comes after a question mark, such as a version, belongs to every route.
    path: url.pathname.replace(/\/+$/, '') + route + url.search,
    headers,
    apiKey,
    dispatcher,
    timeouts: { ...usualTimeouts, ...options.timeouts },
  }
}

const sdkAddress = (
  address: ModelAddress,
  dispatcher: Dispatcher,
  options: ConnectOptions,
  wire: SdkAddress['wire'],
): SdkAddress => ({
  wire,
  model: address.model_id,
  endpoint: endpointOf(address),
  apiKey: address.apiKey,
  options: address.options ?? {},
  dispatcher,
  timeouts: { ...usualTimeouts, ...options.timeouts },
})

function endpointOf({ provider, endpoint }: ModelAddress): string {
  const place = endpoint ?? providerNamed(provider).endpoint
  if (place !== null) return place
  throw new Problem(
    'provider_error',
    `The provider "${provider}" has no address of its own: give the model an endpoint.`,
  )
}

const notOffered = (provider: string, type: string) =>
  new Problem('provider_error', `${provider} offers no models of type "${type}".`)
