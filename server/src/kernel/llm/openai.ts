import { post, type Route } from './http.ts'
import { imageDataIn } from './image-body.ts'
import { inputImages, inputParts, partTexts } from './input-parts.ts'
import {
  type Completion,
  type GenerateRequest,
  type InputPart,
  type JsonFormat,
  type LanguageModel,
  type ModelMessage,
  ProviderError,
  type Reasoning,
  type ToolCall,
  type ToolChoice,
} from './model.ts'
import { ChatReader } from './openai-reply.ts'
import { optionalIn, type Parameter, Refusals, type Refused, without } from './refusals.ts'

const maxWholeReply = 16 * 1024 * 1024

/** A chat model behind the OpenAI API, which most providers and local servers offer. */
export class OpenAiModel implements LanguageModel {
  readonly #route: Route
  readonly #model: string
  readonly #options: Record<string, unknown>
  readonly #refusals = new Refusals()

  constructor(route: Route, model: string, options: Record<string, unknown> = {}) {
    this.#route = route
    this.#model = model
    this.#options = options
  }

  generate(request: GenerateRequest): Promise<Completion> {
    const limit: Parameter[] = request.maxTokens === null ? [] : ['maxTokens']
    return this.#refusals.send(['streamOptions', ...limit, ...optionalIn(request)], (refused) =>
      this.#send(without(request, refused), refused),
    )
  }

  async #send(request: GenerateRequest, refused: Refused): Promise<Completion> {
    const { signal } = request
    const reader = new ChatReader(request, this.#route.apiKey)
    try {
      const reply = await post(this.#route, this.#body(request, refused), signal, imageDataIn(request.messages))
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
  #body(request: GenerateRequest, refused: Refused): string {
    const { messages, tools, toolChoice, temperature, maxTokens, sampling = {}, format } = request
    const { topP, seed, stop, reasoningEffort, parallelToolCalls } = sampling
    const limit = refused.has('maxTokens') ? 'max_completion_tokens' : 'max_tokens'
    return JSON.stringify({
      ...this.#options,
      model: this.#model,
      messages: messages.map(messageBody),
      stream: true,
      ...(!refused.has('streamOptions') && { stream_options: { include_usage: true } }),
      ...(temperature !== null && { temperature }),
      ...(maxTokens !== null && { [limit]: maxTokens }),
      ...(isSet(topP) && { top_p: topP }),
      ...(isSet(seed) && { seed }),
      ...(stop?.length && { stop }),
      ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
      ...(format && { response_format: formatBody(format) }),
      ...(tools.length > 0 && {
        tools: tools.map((tool) => ({ type: 'function', function: tool })),
        ...(toolChoice && { tool_choice: toolChoiceBody(toolChoice) }),
        ...(isSet(parallelToolCalls) && { parallel_tool_calls: parallelToolCalls }),
      }),
    })
  }
}

const formatBody = ({ isAnyObject, ...json_schema }: JsonFormat) =>
  isAnyObject ? { type: 'json_object' } : { type: 'json_schema', json_schema }

const toolChoiceBody = (choice: ToolChoice) =>
  typeof choice === 'string' ? choice : { type: 'function', function: choice }

const isSet = (value: unknown): boolean => value !== null && value !== undefined

function messageBody(message: ModelMessage): object {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: messageContent(message) }
    case 'assistant':
      if (!message.toolCalls?.length) return { role: 'assistant', content: message.content }
      return {
        role: 'assistant',
        content: message.content || null,
        ...reasoningBody(message.reasoning),
        tool_calls: message.toolCalls.map(toolCallBody),
      }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
  }
}

/** Servers that send reasoning under this name require it with the results of the tools. */
function reasoningBody(reasoning: Reasoning[] = []): object {
  const own = reasoning.filter(({ providerMetadata }) => providerMetadata?.openai?.field === 'reasoning_content')
  return own.length === 0 ? {} : { reasoning_content: own.map(({ text }) => text).join('') }
}

/** One text where there is no image: not all servers take a list. */
function messageContent(message: ModelMessage): string | object[] {
  const { content } = message
  if (inputImages(message).length === 0) return [...partTexts(message), content].join('\n\n')
  const body = (part: InputPart): object =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data?.mark}` } }
  return [...inputParts(message).map(body), ...(content === '' ? [] : [{ type: 'text', text: content }])]
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
