import type { Dispatcher } from 'undici'
import { callOptions, type SdkModel } from './ai-sdk-prompt.ts'
import { asProviderError, PartReader } from './ai-sdk-reply.ts'
import { post, type Timeouts } from './http.ts'
import { imageDataIn } from './image-body.ts'
import type {
  Completion,
  EmbeddingModel,
  EmbeddingPurpose,
  Embeddings,
  GenerateRequest,
  ImageData,
  LanguageModel,
} from './model.ts'
import { type BatchLimits, embedInBatches } from './openai-embeddings.ts'
import { optionalIn, Refusals, without } from './refusals.ts'
import { type RetryOptions, withRetries } from './retry.ts'

export interface SdkConnection {
  protocol: 'anthropic' | 'google' | 'cohere'
  model: string
  endpoint: string
  apiKey: string | null
  options: Record<string, unknown>
  dispatcher: Dispatcher
  timeouts: Timeouts
}

/** Loaded on first use: most installations never need them, and they cost time and memory at start. */
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

/** Endpoint and key are always set, even without a key: the packages would look for them in the environment. */
const settings = (connection: SdkConnection, images?: ReadonlySet<ImageData>): Settings => ({
  baseURL: connection.endpoint,
  apiKey: connection.apiKey ?? '',
  fetch: fetchOver(connection, images),
})

/** A `fetch` with our time-outs, errors and images. Error statuses reject. The packages only ever post text. */
const fetchOver =
  ({ apiKey, dispatcher, timeouts }: SdkConnection, images: ReadonlySet<ImageData> = new Set()): typeof fetch =>
  async (input, init) => {
    const { origin, pathname, search } = new URL(String(input))
    const headers = Object.fromEntries(new Headers(init?.headers))
    const route = { origin, path: pathname + search, headers, apiKey, dispatcher, timeouts }
    const body = String(init?.body)
    const sent = [...images].filter(({ mark }) => body.includes(mark))
    const reply = await post(route, body, init?.signal ?? new AbortController().signal, sent)
    const type = String(reply.headers['content-type'] ?? '')
    return new Response(ReadableStream.from(reply), { headers: { 'content-type': type } })
  }

type JsonObject = NonNullable<Parameters<SdkModel['doStream']>[0]['providerOptions']>[string]

/** A chat model behind one of the AI SDK's provider packages. */
export class SdkLanguageModel implements LanguageModel {
  readonly #connection: SdkConnection
  readonly #refusals = new Refusals()
  /** Images of the requests in flight. */
  readonly #images = new Set<ImageData>()
  #model: Promise<SdkModel> | null = null

  constructor(connection: SdkConnection) {
    this.#connection = connection
  }

  generate(request: GenerateRequest): Promise<Completion> {
    return this.#refusals.send(optionalIn(request), (refused) => this.#send(without(request, refused)))
  }

  async #send(request: GenerateRequest): Promise<Completion> {
    const { apiKey } = this.#connection
    const reader = new PartReader(request)
    const stop = new AbortController()
    const images = imageDataIn(request.messages)
    for (const image of images) this.#images.add(image)
    try {
      request.signal.throwIfAborted()
      this.#model ??= this.#load()
      const model = await this.#model
      const { stream } = await model.doStream({
        ...callOptions(request),
        providerOptions: this.#providerOptions(request),
        abortSignal: AbortSignal.any([request.signal, stop.signal]),
      })
      return await reader.read(stream)
    } catch (error) {
      // Drops the connection: the packages read on after an error.
      stop.abort()
      request.signal.throwIfAborted()
      throw reader.listenerError ? reader.listenerError.error : asProviderError(error, apiKey, reader.usage)
    } finally {
      for (const image of images) this.#images.delete(image)
    }
  }

  #providerOptions({ sampling }: GenerateRequest): Record<string, JsonObject> {
    const { protocol, options } = this.#connection
    const { parallelToolCalls = null } = sampling ?? {}
    const parallel = protocol === 'anthropic' && parallelToolCalls !== null
    return {
      [protocol]: { ...(options as JsonObject), ...(parallel && { disableParallelToolUse: !parallelToolCalls }) },
    }
  }

  async #load(): Promise<SdkModel> {
    const provider = await packages[this.#connection.protocol](settings(this.#connection, this.#images))
    return provider.languageModel(this.#connection.model)
  }
}

const purposes = {
  google: { document: { taskType: 'RETRIEVAL_DOCUMENT' }, query: { taskType: 'RETRIEVAL_QUERY' } },
  cohere: { document: { inputType: 'search_document' }, query: { inputType: 'search_query' } },
} as const

/** Both providers accept this much in one request. */
const batchLimits: BatchLimits = { texts: 96, characters: 100_000 }

type EmbeddingConnection = SdkConnection & { protocol: 'google' | 'cohere' }

export class SdkEmbeddings implements EmbeddingModel {
  readonly #connection: EmbeddingConnection
  readonly #retry: RetryOptions
  #model: ReturnType<typeof loadEmbeddings> | null = null

  constructor(connection: EmbeddingConnection, retry: RetryOptions = {}) {
    this.#connection = connection
    this.#retry = retry
  }

  embed(texts: string[], signal: AbortSignal, purpose: EmbeddingPurpose = 'document'): Promise<Embeddings> {
    return embedInBatches(texts, batchLimits, (batch) =>
      withRetries(() => this.#embedBatch(batch, signal, purpose), { ...this.#retry, signal }),
    )
  }

  async #embedBatch(values: string[], signal: AbortSignal, purpose: EmbeddingPurpose): Promise<Embeddings> {
    const { protocol, options, apiKey } = this.#connection
    try {
      this.#model ??= loadEmbeddings(this.#connection)
      const model = await this.#model
      const providerOptions = { [protocol]: { ...purposes[protocol][purpose], ...(options as JsonObject) } }
      const { embeddings, usage } = await model.doEmbed({ values, abortSignal: signal, providerOptions })
      return { vectors: embeddings.map((each) => Float32Array.from(each)), tokens: usage?.tokens ?? null }
    } catch (error) {
      signal.throwIfAborted()
      throw asProviderError(error, apiKey, null)
    }
  }
}

async function loadEmbeddings(connection: EmbeddingConnection) {
  const provider = await packages[connection.protocol](settings(connection))
  return provider.embeddingModel(connection.model)
}
