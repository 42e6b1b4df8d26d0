/** What every model looks like to the rest of the house, whoever provides it. */

export interface ToolSpec {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
}

export interface ToolCall {
  id: string
  name: string
  /** As the model wrote them: JSON, if all went well. */
  arguments: string
  /** What the provider wants back with the call, such as the signature of the thoughts that led to it. */
  providerMetadata?: Record<string, Record<string, unknown>>
}

export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; name: string; content: string }

export interface TokenUsage {
  /** All input tokens, the cached ones included. */
  input: number
  cachedInput: number
  /** All output tokens, the reasoning ones included. */
  output: number
  reasoning: number
}

export interface GenerateRequest {
  messages: ModelMessage[]
  tools: ToolSpec[]
  temperature: number | null
  maxTokens: number | null
  signal: AbortSignal
  /** Called with each piece of text as it arrives. A callback, because an async iterator costs more than the parsing. */
  onText(delta: string): void
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'

export interface Completion {
  text: string
  toolCalls: ToolCall[]
  finishReason: FinishReason
  /** Null where the provider did not say. */
  usage: TokenUsage | null
}

export interface LanguageModel {
  generate(request: GenerateRequest): Promise<Completion>
}

/** Some models embed a question otherwise than the text that is to be found by it. */
export type EmbeddingPurpose = 'document' | 'query'

export interface Embeddings {
  /** One for each text, in their order. */
  vectors: Float32Array[]
  /** Null where the provider did not say. */
  tokens: number | null
}

export interface EmbeddingModel {
  embed(texts: string[], signal: AbortSignal, purpose?: EmbeddingPurpose): Promise<Embeddings>
}

export interface Reranker {
  /** A score for each document, in their order, higher is better. */
  rerank(query: string, documents: string[], signal: AbortSignal): Promise<{ scores: number[]; tokens: number | null }>
}

/** A provider that did not do its part. */
export class ProviderError extends Error {
  readonly kind: 'timeout' | 'connection' | 'status' | 'malformed' | 'cut'
  /** The HTTP status, where there was one. */
  readonly status: number | null
  /** How long the provider asks to be left alone, in milliseconds. */
  readonly retryAfter: number | null
  /** What the provider had reported or produced before it failed. */
  readonly usage: TokenUsage | null

  constructor(
    kind: ProviderError['kind'],
    message: string,
    more: { status?: number; retryAfter?: number | null; usage?: TokenUsage | null; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.status = more.status ?? null
    this.retryAfter = more.retryAfter ?? null
    this.usage = more.usage ?? null
  }

  /** Whether the same request may succeed a little later. */
  get retryable(): boolean {
    if (this.kind === 'connection') return true
    return (
      this.kind === 'status' &&
      (this.status === 408 || this.status === 409 || this.status === 429 || (this.status ?? 0) >= 500)
    )
  }

  /** The same failure, with what the provider had reported before it. */
  with(usage: TokenUsage): ProviderError {
    const { kind, message, status, retryAfter, cause } = this
    return new ProviderError(kind, message, { ...(status !== null && { status }), retryAfter, usage, cause })
  }
}
