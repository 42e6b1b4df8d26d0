import { postJson, type Route } from './http.ts'
import { type EmbeddingModel, type Embeddings, ProviderError } from './model.ts'
import { type RetryOptions, withRetries } from './retry.ts'

/** Providers limit the tokens of a request; this many characters stay below that in any script. */
const batchLimits: BatchLimits = { texts: 256, characters: 100_000 }

interface EmbeddingsResponse {
  data?: { index?: number; embedding?: unknown }[]
  usage?: { prompt_tokens?: unknown; total_tokens?: unknown } | null
}

/** Embeddings behind the OpenAI API. */
export class OpenAiEmbeddings implements EmbeddingModel {
  readonly #route: Route
  readonly #model: string
  readonly #options: Record<string, unknown>
  readonly #retry: RetryOptions
  /** Base64 is a third of the size of decimal numbers, but not every server supports it. */
  #supportsBase64 = true

  constructor(route: Route, model: string, options: Record<string, unknown> = {}, retry: RetryOptions = {}) {
    this.#route = route
    this.#model = model
    this.#options = options
    this.#retry = retry
  }

  async embed(texts: string[], signal: AbortSignal): Promise<Embeddings> {
    return embedInBatches(texts, batchLimits, (batch) =>
      withRetries(() => this.#embedBatch(batch, signal), { ...this.#retry, signal }),
    )
  }

  async #embedBatch(batch: string[], signal: AbortSignal): Promise<Embeddings> {
    const body = { ...this.#options, model: this.#model, input: batch }
    if (!this.#supportsBase64) return readReply(await postJson(this.#route, body, signal), batch.length)
    try {
      const reply = await postJson(this.#route, { ...body, encoding_format: 'base64' }, signal)
      return readReply(reply, batch.length)
    } catch (error) {
      const isRefused = error instanceof ProviderError && (error.status === 400 || error.status === 422)
      if (!isRefused || !error.message.includes('encoding_format')) throw error
      this.#supportsBase64 = false
      return this.#embedBatch(batch, signal)
    }
  }
}

export interface BatchLimits {
  texts: number
  characters: number
}

/** Embeds texts in requests that are not too large, and returns the vectors in the order of the texts. */
export async function embedInBatches(
  texts: string[],
  limits: BatchLimits,
  embed: (batch: string[]) => Promise<Embeddings>,
): Promise<Embeddings> {
  const vectors: Float32Array[] = []
  let tokens: number | null = 0
  for (const batch of batches(texts, limits)) {
    const embedded = await embed(batch)
    vectors.push(...embedded.vectors)
    tokens = tokens === null || embedded.tokens === null ? null : tokens + embedded.tokens
  }
  return { vectors, tokens }
}

function batches(texts: string[], limits: BatchLimits): string[][] {
  const all: string[][] = []
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    if (batch.length === limits.texts || (batch.length > 0 && characters + text.length > limits.characters)) {
      all.push(batch)
      batch = []
      characters = 0
    }
    // Most providers refuse an empty text.
    batch.push(text === '' ? ' ' : text)
    characters += text.length
  }
  if (batch.length > 0) all.push(batch)
  return all
}

function readReply(reply: unknown, expected: number): Embeddings {
  const { data, usage } = (reply ?? {}) as EmbeddingsResponse
  const vectors: Float32Array[] = []
  const items = Array.isArray(data) ? data : []
  items.forEach((item, position) => {
    vectors[item.index ?? position] = decodeVector(item.embedding)
  })
  const complete = vectors.length === expected && vectors.every((vector) => vector.length === vectors[0]?.length)
  if (items.length !== expected || !complete) {
    throw malformed(`${items.length} embeddings for ${expected} texts, or not all of one length`)
  }
  const tokens = usage?.prompt_tokens ?? usage?.total_tokens
  return { vectors, tokens: typeof tokens === 'number' ? tokens : null }
}

function decodeVector(embedding: unknown): Float32Array {
  if (Array.isArray(embedding) && embedding.length > 0) return checked(Float32Array.from(embedding))
  if (typeof embedding !== 'string' || embedding === '') throw malformed('an embedding that is not a list of numbers')
  const bytes = Buffer.from(embedding, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw malformed('an embedding that is cut off within a number')
  // Copied, because the bytes may not be aligned for floats.
  return checked(new Float32Array(new Uint8Array(bytes).buffer))
}

function checked(vector: Float32Array): Float32Array {
  if (!vector.every(Number.isFinite)) throw malformed('an embedding with values that are not numbers')
  return vector
}

const malformed = (what: string) => new ProviderError('malformed', `The provider sent ${what}.`)
