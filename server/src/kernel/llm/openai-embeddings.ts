import type { Place } from './exchange.ts'
import { type EmbeddingModel, type Embeddings, ProviderError } from './model.ts'
import { postJson } from './post-json.ts'
import { type RetryOptions, withRetries } from './retry.ts'

const mostTexts = 256
/** Providers bound the tokens of one request; this many characters stay below that in any script. */
const mostCharacters = 100_000

interface WireEmbeddings {
  data?: { index?: number; embedding?: unknown }[]
  usage?: { prompt_tokens?: unknown; total_tokens?: unknown } | null
}

/** Embeddings over the OpenAI wire. */
export class OpenAiEmbeddings implements EmbeddingModel {
  private readonly place: Place
  private readonly model: string
  private readonly options: Record<string, unknown>
  private readonly retry: RetryOptions
  /** Base64 is a third of the size of numbers in words, but not every server knows it. */
  private takesBase64 = true

  constructor(place: Place, model: string, options: Record<string, unknown> = {}, retry: RetryOptions = {}) {
    this.place = place
    this.model = model
    this.options = options
    this.retry = retry
  }

  async embed(texts: string[], signal: AbortSignal): Promise<Embeddings> {
    return embedInBatches(texts, { texts: mostTexts, characters: mostCharacters }, (batch) =>
      withRetries(() => this.ask(batch, signal), { ...this.retry, signal }),
    )
  }

  private async ask(batch: string[], signal: AbortSignal): Promise<Embeddings> {
    const body = { ...this.options, model: this.model, input: batch }
    if (!this.takesBase64) return readReply(await postJson(this.place, body, signal), batch.length)
    try {
      const reply = await postJson(this.place, { ...body, encoding_format: 'base64' }, signal)
      return readReply(reply, batch.length)
    } catch (error) {
      const isRefused = error instanceof ProviderError && (error.status === 400 || error.status === 422)
      if (!isRefused || !error.message.includes('encoding_format')) throw error
      this.takesBase64 = false
      return this.ask(batch, signal)
    }
  }
}

/** Splits the texts so that no request is too large, and puts the answers together in the texts' order. */
export async function embedInBatches(
  texts: string[],
  most: { texts: number; characters: number },
  ask: (batch: string[]) => Promise<Embeddings>,
): Promise<Embeddings> {
  const vectors: Float32Array[] = []
  let tokens: number | null = 0
  for (const batch of batches(texts, most)) {
    const answer = await ask(batch)
    vectors.push(...answer.vectors)
    tokens = tokens === null || answer.tokens === null ? null : tokens + answer.tokens
  }
  return { vectors, tokens }
}

function batches(texts: string[], most: { texts: number; characters: number }): string[][] {
  const all: string[][] = []
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    if (batch.length === most.texts || (batch.length > 0 && characters + text.length > most.characters)) {
      all.push(batch)
      batch = []
      characters = 0
    }
    // An empty text is refused by most providers.
    batch.push(text === '' ? ' ' : text)
    characters += text.length
  }
  if (batch.length > 0) all.push(batch)
  return all
}

function readReply(reply: unknown, wanted: number): Embeddings {
  const { data, usage } = (reply ?? {}) as WireEmbeddings
  const vectors: Float32Array[] = []
  const items = Array.isArray(data) ? data : []
  items.forEach((item, position) => {
    vectors[item.index ?? position] = vectorOf(item.embedding)
  })
  const complete = vectors.length === wanted && vectors.every((vector) => vector.length === vectors[0]?.length)
  if (items.length !== wanted || !complete) {
    throw malformed(`${items.length} embeddings for ${wanted} texts, or not all of one length`)
  }
  const tokens = usage?.prompt_tokens ?? usage?.total_tokens
  return { vectors, tokens: typeof tokens === 'number' ? tokens : null }
}

function vectorOf(embedding: unknown): Float32Array {
  if (Array.isArray(embedding) && embedding.length > 0) return checked(Float32Array.from(embedding))
  if (typeof embedding !== 'string' || embedding === '') throw malformed('an embedding that is no list of numbers')
  const bytes = Buffer.from(embedding, 'base64')
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw malformed('an embedding that is no whole number of floats')
  // Copied, because the bytes may begin where no float can.
  return checked(new Float32Array(new Uint8Array(bytes).buffer))
}

function checked(vector: Float32Array): Float32Array {
  if (!vector.every(Number.isFinite)) throw malformed('an embedding that holds something other than numbers')
  return vector
}

const malformed = (what: string) => new ProviderError('malformed', `The provider sent ${what}.`)
