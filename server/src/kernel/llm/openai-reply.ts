import { randomUUID } from 'node:crypto'
import { ChunkPattern } from './chunk-pattern.ts'
import type { ReplyHeaders, Sink } from './exchange.ts'
import { type Completion, type FinishReason, ProviderError, type TokenUsage, type ToolCall } from './model.ts'
import { type WireChunk, type WireError, type WireToolCall, type WireUsage, wholeReply } from './openai-wire.ts'
import { parsed } from './post-json.ts'
import { presentable, wordsIn } from './provider-message.ts'
import { EventStreamParser } from './sse.ts'
import { storable } from './storable.ts'

const longestWholeReply = 16 * 1024 * 1024

/** Reads the reply to one chat request, piece by piece, into a completion. */
export class ChatReply implements Sink {
  private readonly onText: (delta: string) => void
  private readonly apiKey: string | null
  private readonly resolve: (completion: Completion) => void
  private readonly reject: (error: unknown) => void
  private readonly pattern = new ChunkPattern()
  private readonly events = new EventStreamParser((data) => this.onEvent(data))
  /** The pieces of a reply from a server that does not stream. */
  private whole: Buffer[] | null = null
  private wholeLength = 0
  private done = false
  private text = ''
  private calls: (ToolCall & { index: number })[] = []
  private finish: string | null = null
  private usage: TokenUsage | null = null

  constructor(
    onText: (delta: string) => void,
    apiKey: string | null,
    resolve: (completion: Completion) => void,
    reject: (error: unknown) => void,
  ) {
    this.onText = onText
    this.apiKey = apiKey
    this.resolve = resolve
    this.reject = reject
  }

  start(headers: ReplyHeaders): void {
    if (String(headers['content-type']).startsWith('application/json')) this.whole = []
  }

  data(chunk: Buffer): boolean {
    if (this.whole === null) this.events.push(chunk)
    else this.keepWhole(chunk)
    return this.done
  }

  end(): void {
    if (this.whole !== null) this.take(wholeReply(parsed(Buffer.concat(this.whole).toString('utf8'))))
    if (this.finish === null && !this.done)
      throw new ProviderError('cut', 'The reply broke off before the model had finished.')
    this.resolve(this.completion())
  }

  fail(error: unknown): void {
    // The rest of the chunk that is being read is nobody's any more.
    this.done = true
    const isLoss = error instanceof ProviderError && (error.kind === 'cut' || error.kind === 'timeout')
    // Once the model has said that it is finished, only the usage can still be missing.
    if (isLoss && this.finish !== null) this.resolve(this.completion())
    else this.reject(error instanceof ProviderError && this.usage !== null ? error.with(this.usage) : error)
  }

  private keepWhole(chunk: Buffer): void {
    this.whole?.push(chunk)
    this.wholeLength += chunk.length
    if (this.wholeLength > longestWholeReply) throw new ProviderError('malformed', 'The reply is longer than 16 MiB.')
  }

  private onEvent(data: string): void {
    if (this.done) return
    const text = this.pattern.textIn(data)
    if (text !== null) this.takeText(text)
    else if (data === '[DONE]') this.done = true
    else {
      const chunk = parsedChunk(data, this.apiKey)
      this.take(chunk)
      this.pattern.learn(data, chunk)
    }
  }

  private take(chunk: WireChunk): void {
    if (chunk.error) throw errorInStream(chunk.error, this.apiKey)
    if (chunk.usage) this.usage = tokenUsage(chunk.usage) ?? this.usage
    const choice = chunk.choices?.[0]
    if (!choice) return
    const { delta } = choice
    if (delta) {
      const piece = delta.content ?? delta.refusal
      if (piece) this.takeText(typeof piece === 'string' ? piece : textOfParts(piece))
      if (Array.isArray(delta.tool_calls)) for (const part of delta.tool_calls) this.takeCall(part)
    }
    if (choice.finish_reason) this.finish = String(choice.finish_reason)
  }

  private takeText(piece: string): void {
    if (piece === '') return
    const delta = storable(piece)
    this.text += delta
    this.onText(delta)
  }

  /** Parts of one call share an index. Some servers give every call the same index or none: then a new id is a new call. */
  private takeCall(part: WireToolCall | null): void {
    const id = wordOr(part?.id, '')
    const index = part?.index ?? (id ? this.calls.length : (this.calls.at(-1)?.index ?? 0))
    let call = this.calls.findLast((each) => each.index === index)
    if (!call || (id && call.id !== '' && call.id !== id)) {
      call = { index, id: '', name: '', arguments: '' }
      this.calls.push(call)
    }
    call.id = id || call.id
    call.name = wordOr(part?.function?.name, call.name)
    const piece = part?.function?.arguments
    if (piece) call.arguments += typeof piece === 'string' ? piece : JSON.stringify(piece)
  }

  private completion(): Completion {
    const toolCalls = this.calls.map((call) => ({
      id: call.id || `call_${randomUUID()}`,
      name: call.name,
      arguments: call.arguments || '{}',
    }))
    return { text: this.text, toolCalls, finishReason: finishReason(this.finish, toolCalls.length), usage: this.usage }
  }
}

function parsedChunk(data: string, key: string | null): WireChunk {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    throw unreadable(data, key, cause)
  }
  if (typeof chunk !== 'object' || chunk === null) throw unreadable(data, key)
  return chunk as WireChunk
}

const unreadable = (data: string, key: string | null, cause?: unknown) =>
  new ProviderError('malformed', `The provider sent a piece that cannot be read: ${presentable(data, key)}`, { cause })

/** An error that comes after the status was already 200. */
function errorInStream(error: WireError | string, key: string | null): ProviderError {
  const status = typeof error === 'string' ? null : statusOf(error)
  const words = presentable(wordsIn({ error }) ?? JSON.stringify(error), key)
  return new ProviderError(
    'status',
    `The provider broke off with an error: ${words}`,
    status === null ? {} : { status },
  )
}

function statusOf(error: WireError): number | null {
  const code = Number(error.code ?? error.status)
  if (code >= 400 && code < 600) return code
  const kind = `${error.type} ${error.code}`
  if (/rate_limit|too_many/.test(kind)) return 429
  return /server_error|internal|overloaded|unavailable/.test(kind) ? 500 : null
}

const wordOr = (value: unknown, fallback: string): string =>
  (typeof value === 'string' && value) || (typeof value === 'number' && String(value)) || fallback

const textOfParts = (parts: ({ text?: unknown } | null)[]): string =>
  Array.isArray(parts) ? parts.map((part) => wordOr(part?.text, '')).join('') : ''

const finishReasons: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
}

/** Some servers say `stop` after a tool call, which is not the end of the turn. */
function finishReason(word: string | null, calls: number): FinishReason {
  const known = finishReasons[word ?? ''] ?? 'other'
  return calls > 0 && (known === 'stop' || known === 'other') ? 'tool_calls' : known
}

/** Null where it counts nothing that could be believed. */
function tokenUsage(usage: WireUsage): TokenUsage | null {
  if (!isCount(usage.prompt_tokens) && !isCount(usage.completion_tokens)) return null
  const input = count(usage.prompt_tokens)
  const reasoning = count(usage.completion_tokens_details?.reasoning_tokens)
  const output = count(usage.completion_tokens)
  // Most providers count the reasoning within the output; where the total shows that this one does not, it is added.
  const isApart = reasoning > 0 && count(usage.total_tokens) === input + output + reasoning
  return {
    input,
    cachedInput: count(usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens),
    output: isApart ? output + reasoning : output,
    reasoning,
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const count = (value: unknown): number => (isCount(value) ? value : 0)
