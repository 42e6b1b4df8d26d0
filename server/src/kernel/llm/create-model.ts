import type { Embedding } from '@parley/embedding'
import { Problem } from '../errors.ts'
import { type SdkConnection, SdkEmbeddings, SdkLanguageModel } from './ai-sdk.ts'
import type { ProviderPool, Route } from './http.ts'
import { localEmbeddings } from './local-embeddings.ts'
import { localModel } from './local-model.ts'
import type { EmbeddingModel, LanguageModel, Reranker } from './model.ts'
import { OpenAiModel } from './openai.ts'
import { OpenAiEmbeddings } from './openai-embeddings.ts'
import { providerNamed } from './providers.ts'
import { RerankModel } from './rerank.ts'
import type { RetryOptions } from './retry.ts'

/** The provider, endpoint, key and name of a model. */
export interface ModelAddress {
  provider: string
  model_id: string
  type: 'chat' | 'embedding' | 'rerank'
  endpoint: string | null
  apiKey: string | null
  /** Extra settings, passed to the provider unchanged. */
  options?: Record<string, unknown>
}

export type Pool = Pick<ProviderPool, 'dispatcher' | 'timeouts'>

export interface ModelOptions {
  /** For embeddings and reranking. The caller retries generations, because it knows whether text has been shown. */
  retry?: RetryOptions
  /** Runs the built-in embedding models. */
  embedding?: Embedding
}

export function languageModel(address: ModelAddress, pool: Pool, options: ModelOptions = {}): LanguageModel {
  const { protocol } = providerNamed(address.provider)
  switch (protocol) {
    case 'openai':
      return new OpenAiModel(routeTo(address, pool, '/chat/completions'), address.model_id, address.options)
    case 'anthropic':
    case 'google':
    case 'cohere':
      return new SdkLanguageModel({ ...sdkConnection(address, pool), protocol })
    case 'local':
      return localModel(options.embedding)
  }
}

export function embeddingModel(address: ModelAddress, pool: Pool, options: ModelOptions = {}): EmbeddingModel {
  const { protocol } = providerNamed(address.provider)
  switch (protocol) {
    case 'openai':
      return new OpenAiEmbeddings(
        routeTo(address, pool, '/embeddings'),
        address.model_id,
        address.options,
        options.retry,
      )
    case 'google':
    case 'cohere':
      return new SdkEmbeddings({ ...sdkConnection(address, pool), protocol }, options.retry)
    case 'anthropic':
      throw notOffered(address.provider, 'embedding')
    case 'local':
      if (!options.embedding) throw notOffered(address.provider, 'embedding')
      return localEmbeddings(address.model_id, options.embedding)
  }
}

export function reranker(address: ModelAddress, pool: Pool, options: ModelOptions = {}): Reranker {
  const { protocol } = providerNamed(address.provider)
  switch (protocol) {
    case 'openai':
    case 'cohere':
      return new RerankModel(routeTo(address, pool, '/rerank'), address.model_id, address.options, options.retry)
    case 'anthropic':
    case 'google':
    case 'local':
      throw notOffered(address.provider, 'rerank')
  }
}

type Endpoint = Pick<ModelAddress, 'provider' | 'endpoint' | 'apiKey'>

export function routeTo(address: Endpoint, { dispatcher, timeouts }: Pool, path: string): Route {
  const { apiKey } = address
  const url = new URL(resolveEndpoint(address))
  return {
    origin: url.origin,
    // A query, such as an API version, belongs to every route.
    path: url.pathname.replace(/\/+$/, '') + path + url.search,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'parley',
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    },
    apiKey,
    dispatcher,
    timeouts,
  }
}

const sdkConnection = (address: ModelAddress, { dispatcher, timeouts }: Pool): Omit<SdkConnection, 'protocol'> => ({
  model: address.model_id,
  endpoint: resolveEndpoint(address),
  apiKey: address.apiKey,
  options: address.options ?? {},
  dispatcher,
  timeouts,
})

function resolveEndpoint({ provider, endpoint }: Endpoint): string {
  const address = endpoint ?? providerNamed(provider).endpoint
  if (address !== null) return address
  throw new Problem('provider_error', `The provider "${provider}" has no default endpoint: set one on the model.`)
}

const notOffered = (provider: string, type: string) =>
  new Problem('provider_error', `${provider} offers no models of type "${type}".`)
