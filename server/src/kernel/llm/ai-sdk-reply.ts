import { Problem, reason } from '../errors.ts'
import type { SdkPart } from './ai-sdk-prompt.ts'
import {
  type Completion,
  type FinishReason,
  type GenerateRequest,
  ProviderError,
  type TokenUsage,
  type ToolCall,
} from './model.ts'
import { presentable } from './provider-message.ts'
import { storable } from './storable.ts'

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

/** Reads the parts of one reply into a completion. */
export class PartReader {
  usage: TokenUsage | null = null
  /** What whoever is told the text threw: no fault of the provider. */
  thrownByListener: { error: unknown } | null = null
  private readonly request: GenerateRequest
  private text = ''
  private toolCalls: ToolCall[] = []
  private finish: Finish['finishReason'] | null = null

  constructor(request: GenerateRequest) {
    this.request = request
  }

  async read(stream: ReadableStream<SdkPart>): Promise<Completion> {
    const reader = stream.getReader()
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) this.take(next.value)
    } catch (error) {
      // Not waited for: cancelling is what drops the connection, and nothing is left to learn from it.
      reader.cancel(error).catch(() => undefined)
      throw error
    }
    // Without a word of its own on why it finished, the provider was cut off.
    if (this.finish?.raw === undefined) {
      throw new ProviderError('cut', 'The reply broke off before the model had finished.')
    }
    const { text, toolCalls, usage } = this
    return { text, toolCalls, finishReason: finishReasons[this.finish.unified], usage }
  }

  private take(part: SdkPart): void {
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') this.tell(part.delta)
        return
      case 'tool-call':
        this.toolCalls.push({
          id: part.toolCallId,
          name: part.toolName,
          arguments: part.input || '{}',
          ...(part.providerMetadata && { providerMetadata: part.providerMetadata }),
        })
        return
      case 'custom':
        this.usage = usageAtStart(part.providerMetadata) ?? this.usage
        return
      case 'finish':
        this.finish = part.finishReason
        this.usage = tokenUsage(part.usage) ?? this.usage
        return
      case 'error':
        throw part.error
    }
  }

  private tell(piece: string): void {
    const delta = storable(piece)
    this.text += delta
    try {
      this.request.onText(delta)
    } catch (error) {
      this.thrownByListener = { error }
      throw error
    }
  }
}

function tokenUsage({ inputTokens, outputTokens }: Finish['usage']): TokenUsage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null
  return {
    input: inputTokens.total ?? 0,
    cachedInput: inputTokens.cacheRead ?? 0,
    output: outputTokens.total ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
  }
}

/** Anthropic says at the start what the input costs, which is all that is known of a reply that breaks off. */
function usageAtStart(metadata: Record<string, Record<string, unknown>> | undefined): TokenUsage | null {
  const usage = metadata?.anthropic?.usage as Record<string, unknown> | undefined
  if (typeof usage?.input_tokens !== 'number') return null
  const cachedInput = Number(usage.cache_read_input_tokens ?? 0)
  const written = Number(usage.cache_creation_input_tokens ?? 0)
  return {
    input: usage.input_tokens + cachedInput + written,
    cachedInput,
    output: Number(usage.output_tokens ?? 0),
    reasoning: 0,
  }
}

/** The packages wrap what went wrong in errors of their own; ours is at the bottom wherever the exchange failed. */
export function asProviderError(error: unknown, key: string | null, usage: TokenUsage | null): unknown {
  for (let each = error; each !== null && typeof each === 'object'; each = (each as { cause?: unknown }).cause) {
    if (each instanceof Problem) return each
    if (each instanceof ProviderError) return usage === null ? each : each.with(usage)
    const { statusCode } = each as { statusCode?: unknown }
    if (typeof statusCode === 'number' && statusCode >= 400) {
      const words = presentable(messageOf(each), key)
      return new ProviderError('status', `The provider broke off with an error: ${words}`, {
        status: statusCode,
        usage,
        cause: error,
      })
    }
  }
  const words = presentable(messageOf(error), key)
  return new ProviderError('malformed', `The provider's reply could not be read: ${words}`, { usage, cause: error })
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : reason(error)
}
