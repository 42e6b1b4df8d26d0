import type { Dispatcher } from 'undici'
import { callOptions, type SdkModel } from './ai-sdk-prompt.ts'
import { asProviderError, PartReader } from './ai-sdk-reply.ts'
import type { Timeouts } from './exchange.ts'
import { exchangeFetch } from './exchange-fetch.ts'
import type {
  Completion,
  EmbeddingModel,
  EmbeddingPurpose,
  Embeddings,
  GenerateRequest,
  LanguageModel,
} from './model.ts'
import { embedInBatches } from './openai-embeddings.ts'
import { type RetryOptions, withRetries } from './retry.ts'

export interface SdkAddress {
  wire: 'anthropic' | 'google' | 'cohere'
  model: string
  endpoint: string
  apiKey: string | null
  options: Record<string, unknown>
  dispatcher: Dispatcher
  timeouts: Timeouts
}

/** Loaded when first needed: at start they would cost time and memory that most installations never need. */
const packages = {
  anthropic: async (settings: Settings) => (await import('@ai-sdk/anthropic')).createAnthropic(settings),
  google: async (settings: Settings) => (await import('@ai-sdk/google')).createGoogle(settings),
  cohere: async (settings: Settings) => (await import('@ai-sdk/cohere')).createCohere(settings),
}

interface Settings {
  baseURL: string
  apiKey: string
  fetch: typeof fetch
}

/** Address and key are always given, also when there is no key: the packages would look for them in the environment. */
const settings = (address: SdkAddress): Settings => ({
  baseURL: address.endpoint,
  apiKey: address.apiKey ?? '',
  fetch: exchangeFetch(address),
})

type JsonObject = NonNullable<Parameters<SdkModel['doStream']>[0]['providerOptions']>[string]

/** A model behind one of the AI SDK's provider packages. */
export class SdkLanguageModel implements LanguageModel {
  private readonly address: SdkAddress
  private model: Promise<SdkModel> | null = null

  constructor(address: SdkAddress) {
    this.address = address
  }

  async generate(request: GenerateRequest): Promise<Completion> {
    const { wire, options, apiKey } = this.address
    const reader = new PartReader(request)
    try {
      request.signal.throwIfAborted()
      this.model ??= this.load()
      const model = await this.model
      const providerOptions = { [wire]: options as JsonObject }
      const { stream } = await model.doStream({ ...callOptions(request), providerOptions })
      return await reader.read(stream)
    } catch (error) {
      request.signal.throwIfAborted()
      throw reader.thrownByListener ? reader.thrownByListener.error : asProviderError(error, apiKey, reader.usage)
    }
  }

  private async load(): Promise<SdkModel> {
    const provider = await packages[this.address.wire](settings(this.address))
    return provider.languageModel(this.address.model)
  }
}

const purposes = {
  google: { document: { taskType: 'RETRIEVAL_DOCUMENT' }, query: { taskType: 'RETRIEVAL_QUERY' } },
  cohere: { document: { inputType: 'search_document' }, query: { inputType: 'search_query' } },
} as const

/** What both providers take in one request. */
const most = { texts: 96, characters: 100_000 }

export class SdkEmbeddings implements EmbeddingModel {
  private readonly address: SdkAddress & { wire: 'google' | 'cohere' }
  private readonly retry: RetryOptions
  private model: ReturnType<SdkEmbeddings['load']> | null = null

  constructor(address: SdkAddress & { wire: 'google' | 'cohere' }, retry: RetryOptions = {}) {
    this.address = address
    this.retry = retry
  }

  embed(texts: string[], signal: AbortSignal, purpose: EmbeddingPurpose = 'document'): Promise<Embeddings> {
    return embedInBatches(texts, most, (batch) =>
      withRetries(() => this.ask(batch, signal, purpose), { ...this.retry, signal }),
    )
  }

  private async ask(values: string[], signal: AbortSignal, purpose: EmbeddingPurpose): Promise<Embeddings> {
    const { wire, options, apiKey } = this.address
    try {
      this.model ??= this.load()
      const model = await this.model
      const providerOptions = { [wire]: { ...purposes[wire][purpose], ...(options as JsonObject) } }
      const { embeddings, usage } = await model.doEmbed({ values, abortSignal: signal, providerOptions })
      return { vectors: embeddings.map((each) => Float32Array.from(each)), tokens: usage?.tokens ?? null }
    } catch (error) {
      signal.throwIfAborted()
      throw asProviderError(error, apiKey, null)
    }
  }

  private async load() {
    const provider = await packages[this.address.wire](settings(this.address))
    return provider.embeddingModel(this.address.model)
  }
}
