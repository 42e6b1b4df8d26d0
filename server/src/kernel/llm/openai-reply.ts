import { randomUUID } from 'node:crypto'
import { createParser } from 'eventsource-parser'
import {
  type Completion,
  type FinishReason,
  type GenerateRequest,
  ProviderError,
  replaceNul,
  type TokenUsage,
  type ToolCall,
} from './model.ts'
import { explanationIn, masked } from './provider-errors.ts'

/** The fields of the OpenAI API that are read. Any of them may be missing or of another type. */
interface ChatChunk {
  model?: unknown
  choices?: { delta?: ChatDelta | null; finish_reason?: string | null }[]
  usage?: ChatUsage | null
  error?: ChatError | string | null
}

interface ChatDelta {
  /** Some servers send a list of parts, where reasoning is a part of another type. */
  content?: string | ({ text?: unknown } | null)[] | null
  refusal?: string | null
  /** Two names for the same: servers send one of them, or both. */
  reasoning_content?: unknown
  reasoning?: unknown
  tool_calls?: (ToolCallDelta | null)[] | null
}

interface ToolCallDelta {
  index?: number
  id?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
}

interface ChatUsage {
  prompt_tokens?: unknown
  completion_tokens?: unknown
  total_tokens?: unknown
  prompt_tokens_details?: { cached_tokens?: unknown } | null
  completion_tokens_details?: { reasoning_tokens?: unknown } | null
  prompt_cache_hit_tokens?: unknown
}

interface ChatError {
  message?: unknown
  type?: unknown
  code?: unknown
  status?: unknown
}

/** The body of a server that does not stream. */
interface WholeReply extends Pick<ChatChunk, 'model' | 'usage' | 'error'> {
  choices?: { message?: ChatDelta | null; finish_reason?: string | null }[]
}

const reasoningFields = ['reasoning_content', 'reasoning'] as const
type ReasoningField = (typeof reasoningFields)[number]

type ReaderRequest = Pick<GenerateRequest, 'onText' | 'onReasoning' | 'signal'>

const maxEventLength = 16 * 1024 * 1024

/** Reads the reply to one chat request, chunk by chunk, into a completion. */
export class ChatReader {
  /** The server has said that nothing more will follow. */
  isDone = false
  usage: TokenUsage | null = null
  readonly #request: ReaderRequest
  readonly #apiKey: string | null
  readonly #decoder = new TextDecoder()
  readonly #events = createParser({
    onEvent: ({ data }) => this.#readEvent(data),
    onError: ({ type }) => {
      if (type !== 'max-buffer-size-exceeded') return
      throw new ProviderError(
        'malformed',
        `The provider sent an event of more than ${maxEventLength / 1024 / 1024} MiB.`,
      )
    },
    maxBufferSize: maxEventLength,
  })
  #text = ''
  #reasoning: { field: ReasoningField; text: string } | null = null
  #calls: (ToolCall & { index: number })[] = []
  #finish: string | null = null
  #model: string | undefined

  constructor(request: ReaderRequest, apiKey: string | null) {
    this.#request = request
    this.#apiKey = apiKey
  }

  /** The model has given its finish reason. */
  get isFinished(): boolean {
    return this.#finish !== null
  }

  push(chunk: Buffer): void {
    if (!this.isDone) this.#events.feed(this.#decoder.decode(chunk, { stream: true }))
  }

  /** Reads the reply of a server that did not stream. */
  readWhole(body: unknown): void {
    const { model, choices, usage = null, error = null } = (body ?? {}) as WholeReply
    const choice = choices?.[0]
    if (!choice && !error) throw new ProviderError('malformed', 'The provider sent something that is not a reply.')
    const whole = choice && { delta: choice.message ?? null, finish_reason: choice.finish_reason ?? 'stop' }
    this.#read({ model, choices: whole ? [whole] : [], usage, error })
  }

  completion(): Completion {
    if (!this.isFinished && !this.isDone)
      throw new ProviderError('cut', 'The reply broke off before the model had finished.')
    const toolCalls = this.#calls.map((call) => ({
      id: call.id || `call_${randomUUID()}`,
      name: call.name,
      arguments: call.arguments || '{}',
    }))
    const finishReason = toFinishReason(this.#finish, toolCalls.length > 0)
    const thought = this.#reasoning
    const reasoning = thought && [{ text: thought.text, providerMetadata: { openai: { field: thought.field } } }]
    return {
      text: this.#text,
      toolCalls,
      ...(reasoning && { reasoning }),
      finishReason,
      usage: this.usage,
      ...(this.#model !== undefined && { model: this.#model }),
    }
  }

  #readEvent(data: string): void {
    if (this.isDone) return
    if (data === '[DONE]') this.isDone = true
    else this.#read(parseChunk(data, this.#apiKey))
  }

  #read({ model, choices, usage, error }: ChatChunk): void {
    if (error) throw streamError(error, this.#apiKey)
    if (typeof model === 'string' && model !== '') this.#model ??= model
    if (usage) this.usage = tokenUsage(usage) ?? this.usage
    const choice = choices?.[0]
    if (!choice) return
    const { delta } = choice
    if (delta) {
      for (const field of reasoningFields) this.#readReasoning(field, textOr(delta[field], ''))
      const content = delta.content ?? delta.refusal
      if (content) this.#readText(typeof content === 'string' ? content : textOfParts(content))
      if (Array.isArray(delta.tool_calls)) for (const part of delta.tool_calls) this.#readCall(part)
    }
    if (choice.finish_reason) this.#finish = String(choice.finish_reason)
  }

  #readReasoning(field: ReasoningField, text: string): void {
    if (text === '' || (this.#reasoning && this.#reasoning.field !== field)) return
    this.#request.signal.throwIfAborted()
    const delta = replaceNul(text)
    this.#reasoning = { field, text: (this.#reasoning?.text ?? '') + delta }
    this.#request.onReasoning?.(delta)
  }

  #readText(text: string): void {
    if (text === '') return
    // One chunk can hold many deltas: none may follow the one that made the caller cancel.
    this.#request.signal.throwIfAborted()
    const delta = replaceNul(text)
    this.#text += delta
    this.#request.onText(delta)
  }

  /** Parts of one call share an index. Some servers give all calls the same index or none; there, a new id is a new call. */
  #readCall(part: ToolCallDelta | null): void {
    const id = textOr(part?.id, '')
    const index = part?.index ?? (id ? this.#calls.length : (this.#calls.at(-1)?.index ?? 0))
    let call = this.#calls.findLast((each) => each.index === index)
    if (!call || (id && call.id !== '' && call.id !== id)) {
      call = { index, id: '', name: '', arguments: '' }
      this.#calls.push(call)
    }
    call.id = id || call.id
    call.name = textOr(part?.function?.name, call.name)
    const piece = part?.function?.arguments
    if (piece) call.arguments += typeof piece === 'string' ? piece : JSON.stringify(piece)
  }
}

function parseChunk(data: string, key: string | null): ChatChunk {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    throw unreadable(data, key, cause)
  }
  if (typeof chunk !== 'object' || chunk === null) throw unreadable(data, key)
  return chunk as ChatChunk
}

const unreadable = (data: string, key: string | null, cause?: unknown) =>
  new ProviderError('malformed', `The provider sent an event that cannot be read: ${masked(data, key)}`, { cause })

/** An error after the status was already 200. */
function streamError(error: ChatError | string, key: string | null): ProviderError {
  const status = typeof error === 'string' ? null : errorStatus(error)
  const message = masked(explanationIn({ error }) ?? JSON.stringify(error), key)
  return new ProviderError(
    'status',
    `The provider broke off with an error: ${message}`,
    status === null ? {} : { status },
  )
}

function errorStatus(error: ChatError): number | null {
  const code = Number(error.code ?? error.status)
  if (code >= 400 && code < 600) return code
  const kind = `${error.type} ${error.code}`
  if (/rate_limit|too_many/.test(kind)) return 429
  return /server_error|internal|overloaded|unavailable/.test(kind) ? 500 : null
}

const textOr = (value: unknown, fallback: string): string =>
  (typeof value === 'string' && value) || (typeof value === 'number' && String(value)) || fallback

const textOfParts = (parts: ({ text?: unknown } | null)[]): string =>
  Array.isArray(parts) ? parts.map((part) => textOr(part?.text, '')).join('') : ''

const finishReasons = new Map<string, FinishReason>(
  Object.entries({
    stop: 'stop',
    length: 'length',
    model_length: 'length',
    tool_calls: 'tool_calls',
    function_call: 'tool_calls',
    content_filter: 'content_filter',
  }),
)

/** Some servers say `stop` after a tool call, which is not the end of the turn. */
function toFinishReason(reason: string | null, hasCalls: boolean): FinishReason {
  const known = finishReasons.get(reason ?? '') ?? 'other'
  return hasCalls && (known === 'stop' || known === 'other') ? 'tool_calls' : known
}

/** Null if it holds no valid count. */
function tokenUsage(usage: ChatUsage): TokenUsage | null {
  if (!isCount(usage.prompt_tokens) && !isCount(usage.completion_tokens)) return null
  const input = count(usage.prompt_tokens)
  const reasoning = count(usage.completion_tokens_details?.reasoning_tokens)
  const output = count(usage.completion_tokens)
  // Most providers include reasoning in the output; the total shows those that do not.
  const isSeparate = reasoning > 0 && count(usage.total_tokens) === input + output + reasoning
  return {
    input,
    cachedInput: count(usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens),
    output: isSeparate ? output + reasoning : output,
    reasoning,
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const count = (value: unknown): number => (isCount(value) ? value : 0)
