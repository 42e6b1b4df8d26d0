import { Problem, reason } from '../errors.ts'
import type { SdkPart } from './ai-sdk-prompt.ts'
import {
  type Completion,
  type FinishReason,
  type GenerateRequest,
  ProviderError,
  type Reasoning,
  replaceNul,
  type TokenUsage,
  type ToolCall,
} from './model.ts'
import { masked } from './provider-errors.ts'

type Finish = Extract<SdkPart, { type: 'finish' }>

const finishReasons: Record<Finish['finishReason']['unified'], FinishReason> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'other',
  interrupted: 'other',
  other: 'other',
}

/** Reads the stream parts of one reply into a completion. */
export class PartReader {
  usage: TokenUsage | null = null
  /** Thrown by a listener, so not the provider's fault. */
  listenerError: { error: unknown } | null = null
  readonly #request: GenerateRequest
  #text = ''
  #toolCalls: ToolCall[] = []
  readonly #reasoning = new Map<string, Reasoning>()
  #finish: Finish['finishReason'] | null = null
  #model: string | undefined

  constructor(request: GenerateRequest) {
    this.#request = request
  }

  async read(stream: ReadableStream<SdkPart>): Promise<Completion> {
    const reader = stream.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) this.#readPart(next.value)
    // The packages make up a finish reason where the provider sent none.
    if (this.#finish?.raw === undefined)
      throw new ProviderError('cut', 'The reply broke off before the model had finished.')
    const finishReason = finishReasons[this.#finish.unified]
    return {
      text: this.#text,
      toolCalls: this.#toolCalls,
      ...(this.#reasoning.size > 0 && { reasoning: [...this.#reasoning.values()] }),
      finishReason,
      usage: this.usage,
      ...(this.#model !== undefined && { model: this.#model }),
    }
  }

  #readPart(part: SdkPart): void {
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') this.#readText(part.delta)
        return
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#readReasoning(part)
        return
      case 'tool-call':
        this.#toolCalls.push({
          id: part.toolCallId,
          name: part.toolName,
          arguments: part.input || '{}',
          ...(part.providerMetadata && { providerMetadata: part.providerMetadata }),
        })
        return
      case 'response-metadata':
        this.#model ??= part.modelId
        return
      case 'custom':
        this.usage = usageAtStart(part.providerMetadata) ?? this.usage
        return
      case 'finish':
        this.#finish = part.finishReason
        this.usage = tokenUsage(part.usage) ?? this.usage
        return
      case 'error':
        throw part.error
    }
  }

  /** Signatures come with any of the parts. */
  #readReasoning(part: Extract<SdkPart, { type: 'reasoning-start' | 'reasoning-delta' | 'reasoning-end' }>): void {
    const before = this.#reasoning.get(part.id) ?? { text: '' }
    const delta = part.type === 'reasoning-delta' ? replaceNul(part.delta) : ''
    const providerMetadata = merged(before.providerMetadata, part.providerMetadata)
    this.#reasoning.set(part.id, { text: before.text + delta, ...(providerMetadata && { providerMetadata }) })
    if (delta !== '') this.#show(() => this.#request.onReasoning?.(delta))
  }

  #readText(text: string): void {
    const delta = replaceNul(text)
    this.#text += delta
    this.#show(() => this.#request.onText(delta))
  }

  #show(tell: () => void): void {
    try {
      tell()
    } catch (error) {
      this.listenerError = { error }
      throw error
    }
  }
}

type Metadata = Reasoning['providerMetadata']

function merged(one: Metadata, other: Metadata): Metadata {
  if (!one || !other) return one ?? other
  const providers = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...providers].map((name) => [name, { ...one[name], ...other[name] }]))
}

function tokenUsage({ inputTokens, outputTokens }: Finish['usage']): TokenUsage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null
  return {
    input: inputTokens.total ?? 0,
    cachedInput: inputTokens.cacheRead ?? 0,
    ...(inputTokens.cacheWrite && { cacheWrite: inputTokens.cacheWrite }),
    output: outputTokens.total ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
  }
}

/** Anthropic reports the input at the start, which is all that is known if the reply breaks off. */
function usageAtStart(metadata: Record<string, Record<string, unknown>> | undefined): TokenUsage | null {
  const usage = metadata?.anthropic?.usage as Record<string, unknown> | undefined
  if (typeof usage?.input_tokens !== 'number') return null
  const cachedInput = Number(usage.cache_read_input_tokens ?? 0)
  const written = Number(usage.cache_creation_input_tokens ?? 0)
  return {
    input: usage.input_tokens + cachedInput + written,
    cachedInput,
    ...(written && { cacheWrite: written }),
    output: Number(usage.output_tokens ?? 0),
    reasoning: 0,
  }
}

/** The packages wrap errors in their own. If the request failed, the innermost one is a `ProviderError`. */
export function asProviderError(error: unknown, key: string | null, usage: TokenUsage | null): unknown {
  for (let each = error; each !== null && typeof each === 'object'; each = (each as { cause?: unknown }).cause) {
    if (each instanceof Problem) return each
    if (each instanceof ProviderError) return usage === null ? each : each.withUsage(usage)
    const { statusCode } = each as { statusCode?: unknown }
    if (typeof statusCode === 'number' && statusCode >= 400) {
      const message = masked(errorMessage(each), key)
      return new ProviderError('status', `The provider broke off with an error: ${message}`, {
        status: statusCode,
        usage,
        cause: error,
      })
    }
  }
  const message = masked(errorMessage(error), key)
  return new ProviderError('malformed', `The provider's reply could not be read: ${message}`, { usage, cause: error })
}

function errorMessage(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : reason(error)
}
