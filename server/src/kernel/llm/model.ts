/** The interfaces of models, the same for all providers. */

export interface ToolSpec {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** The provider makes sure that the arguments follow the schema. */
  strict?: boolean
}

export interface ToolCall {
  id: string
  name: string
  /** The text that the model wrote, usually valid JSON. */
  arguments: string
  /** Provider data that must be sent back with the call, such as the signature of the reasoning that led to it. */
  providerMetadata?: Record<string, Record<string, unknown>>
}

/** The reasoning before tool calls. Some providers require it with the results. */
export interface Reasoning {
  text: string
  /** Provider data that must be sent back with the reasoning, such as its signature. */
  providerMetadata?: Record<string, Record<string, unknown>>
}

/** An attachment of a user message, sent before its text. */
export type InputPart = TextPart | ImagePart

interface TextPart {
  type: 'text'
  text: string
  /** The prompt up to here stays the same in later requests, so a provider may cache it. */
  endsStablePrefix?: boolean
}

export interface ImagePart {
  type: 'image'
  /** The id of the file. */
  file: string
  name: string
  mediaType: string
  /** Set only in a request. A stored run names the file instead. */
  data?: ImageData
}

/** The content of an image. */
export interface ImageData {
  /** A placeholder in the body, replaced while it is sent: serializing a large image would block the event loop. */
  mark: string
  /** Base64. */
  pieces: Buffer[]
  /** Bytes of the pieces. */
  length: number
}

export type ModelMessage =
  | { role: 'system' | 'user'; content: string; parts?: InputPart[] }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[]; reasoning?: Reasoning[] }
  | {
      role: 'tool'
      toolCallId: string
      name: string
      content: string
      /** The ids of the documents that the result shows. */
      documents?: string[]
    }

/** All text of a message that counts as tokens. */
export function messageText(message: ModelMessage): string {
  if (message.role === 'assistant' && message.toolCalls)
    return message.content + JSON.stringify([message.toolCalls, message.reasoning])
  if (message.role !== 'user' || !message.parts) return message.content
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return [...texts, message.content].join('\n')
}

export interface TokenUsage {
  /** All input tokens, the cached ones included. */
  input: number
  /** Part of `input`: read from the provider's cache. */
  cachedInput: number
  /** Part of `input`: written to the provider's cache. Left out by providers that do not report it. */
  cacheWrite?: number
  /** All output tokens, the reasoning ones included. */
  output: number
  reasoning: number
}

/** Sampling parameters besides the temperature. The provider chooses the value of missing ones. */
export interface Sampling {
  topP?: number | null
  /** The reply ends before one of these texts. */
  stop?: string[] | null
  seed?: number | null
  reasoningEffort?: 'low' | 'medium' | 'high' | null
  /** Whether it may call several tools at once. */
  parallelToolCalls?: boolean | null
}

/** Whether a model may, must not or must call a tool, or which one it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string }

/** The JSON that a reply must be. */
export interface JsonFormat {
  name: string
  description?: string
  schema: Record<string, unknown>
  /** The provider makes sure that the reply follows the schema. */
  strict?: boolean
  /** Any object, for which providers have a separate mode. */
  isAnyObject?: boolean
}

export interface GenerateRequest {
  messages: ModelMessage[]
  tools: ToolSpec[]
  toolChoice?: ToolChoice
  temperature: number | null
  maxTokens: number | null
  sampling?: Sampling
  /** The reply must be JSON. Not every provider makes sure of it. */
  format?: JsonFormat | null
  signal: AbortSignal
  /** Called with each piece of text as it arrives. */
  onText(delta: string): void
  /** The same for its reasoning, where the provider shows it. */
  onReasoning?(delta: string): void
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'

export interface Completion {
  text: string
  toolCalls: ToolCall[]
  reasoning?: Reasoning[]
  finishReason: FinishReason
  /** Null if the provider did not report it. */
  usage: TokenUsage | null
  /** The model that answered, as the provider names it, if it does. */
  model?: string
}

export interface LanguageModel {
  generate(request: GenerateRequest): Promise<Completion>
}

/** Some models embed queries and documents differently. */
export type EmbeddingPurpose = 'document' | 'query'

export interface Embeddings {
  /** One for each text, in the same order. */
  vectors: Float32Array[]
  /** Null if the provider did not report it. */
  tokens: number | null
}

export interface EmbeddingModel {
  embed(texts: string[], signal: AbortSignal, purpose?: EmbeddingPurpose): Promise<Embeddings>
}

export interface Reranker {
  /** One score for each document, in the same order; higher is better. */
  rerank(query: string, documents: string[], signal: AbortSignal): Promise<{ scores: number[]; tokens: number | null }>
}

/** A request to a provider that failed. */
export class ProviderError extends Error {
  readonly kind: 'timeout' | 'connection' | 'status' | 'malformed' | 'cut'
  /** The HTTP status, if there was a response. */
  readonly status: number | null
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfter: number | null
  /** Usage that the provider reported before it failed. */
  readonly usage: TokenUsage | null
  /** The parameter that the provider refused, if it says so. */
  readonly param: string | null

  constructor(
    kind: ProviderError['kind'],
    message: string,
    more: Partial<Pick<ProviderError, 'retryAfter' | 'usage' | 'param' | 'cause'>> & { status?: number } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.status = more.status ?? null
    this.retryAfter = more.retryAfter ?? null
    this.usage = more.usage ?? null
    this.param = more.param ?? null
  }

  /** Whether the same request may succeed if it is sent again. */
  get retryable(): boolean {
    if (this.kind === 'connection') return true
    return (
      this.kind === 'status' &&
      (this.status === 408 || this.status === 409 || this.status === 429 || (this.status ?? 0) >= 500)
    )
  }

  withUsage(usage: TokenUsage): ProviderError {
    const { kind, message, status, retryAfter, param, cause } = this
    return new ProviderError(kind, message, { ...(status !== null && { status }), retryAfter, usage, param, cause })
  }
}

/** Databases store no NUL in a text, and the text shown must be the text stored. */
export const replaceNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)
