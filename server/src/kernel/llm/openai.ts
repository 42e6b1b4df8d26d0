import { post, type Route } from './http.ts'
import {
  type Completion,
  type GenerateRequest,
  type LanguageModel,
  type ModelMessage,
  ProviderError,
  type ToolCall,
} from './model.ts'
import { ChatReader } from './openai-reply.ts'

const maxWholeReply = 16 * 1024 * 1024

/** A chat model behind the OpenAI API, which most providers and local servers offer. */
export class OpenAiModel implements LanguageModel {
  readonly #route: Route
  readonly #model: string
  readonly #options: Record<string, unknown>
  /** Remembered once a request in it has succeeded. */
  #dialect: Dialect = { streamOptions: true, tokenLimit: 'max_tokens' }

  constructor(route: Route, model: string, options: Record<string, unknown> = {}) {
    this.#route = route
    this.#model = model
    this.#options = options
  }

  async generate(request: GenerateRequest): Promise<Completion> {
    let dialect = this.#dialect
    for (;;) {
      try {
        const completion = await this.#send(request, dialect)
        this.#dialect = dialect
        return completion
      } catch (error) {
        const next = nextDialect(error, dialect, request.maxTokens !== null)
        if (next === null) throw error
        dialect = next
      }
    }
  }

  async #send(request: GenerateRequest, dialect: Dialect): Promise<Completion> {
    const { signal } = request
    const reader = new ChatReader(request, this.#route.apiKey)
    try {
      const reply = await post(this.#route, this.#body(request, dialect), signal)
      if (String(reply.headers['content-type']).startsWith('application/json')) {
        reader.readWhole(await reply.json(maxWholeReply))
      } else {
        for await (const chunk of reply) {
          reader.push(chunk)
          if (reader.isDone) reply.expectEnd()
        }
      }
      return reader.completion()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ProviderError)) throw error
      // After the finish reason only the usage can be missing.
      const isLoss = error.kind === 'cut' || error.kind === 'timeout'
      if (isLoss && reader.isFinished) return reader.completion()
      throw reader.usage === null ? error : error.withUsage(reader.usage)
    }
  }

  /** Sends only the fields that are needed: some servers refuse a field they do not know. */
  #body({ messages, tools, temperature, maxTokens }: GenerateRequest, dialect: Dialect): string {
    return JSON.stringify({
      ...this.#options,
      model: this.#model,
      messages: messages.map(messageBody),
      stream: true,
      ...(dialect.streamOptions && { stream_options: { include_usage: true } }),
      ...(temperature !== null && { temperature }),
      ...(maxTokens !== null && { [dialect.tokenLimit]: maxTokens }),
      ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    })
  }
}

/** Where servers that call themselves compatible differ. */
interface Dialect {
  streamOptions: boolean
  tokenLimit: 'max_tokens' | 'max_completion_tokens'
}

const unknownField = /unsupported|unrecogni[sz]ed|unknown|unexpected|not (be )?(supported|permitted|allowed)|forbidden/i

/** The dialect to try after a server refused a field, or null if the error is about something else. */
function nextDialect(error: unknown, dialect: Dialect, hasLimit: boolean): Dialect | null {
  if (!(error instanceof ProviderError) || (error.status !== 400 && error.status !== 422)) return null
  const { message } = error
  if (dialect.streamOptions && message.includes('stream_options')) return { ...dialect, streamOptions: false }
  // A limit that is only too high is refused as well, but not as an unknown field.
  const isRefused =
    message.includes('max_completion_tokens') || (message.includes('max_tokens') && unknownField.test(message))
  const canChange = hasLimit && dialect.tokenLimit === 'max_tokens'
  return canChange && isRefused ? { ...dialect, tokenLimit: 'max_completion_tokens' } : null
}

function messageBody(message: ModelMessage): object {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content }
    case 'assistant':
      if (!message.toolCalls?.length) return { role: 'assistant', content: message.content }
      return { role: 'assistant', content: message.content || null, tool_calls: message.toolCalls.map(toolCallBody) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
  }
}

const toolCallBody = (call: ToolCall) => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: validArguments(call.arguments) },
})

/** Servers that parse the history would refuse every later turn because of one call with broken JSON. */
function validArguments(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return '{}'
  }
}
