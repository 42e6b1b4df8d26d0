import type { AnthropicProvider } from '@ai-sdk/anthropic'
import type { GenerateRequest, InputPart, JsonFormat, ModelMessage, Reasoning, ToolCall, ToolChoice } from './model.ts'

/** The interface that the AI SDK's provider packages share; none of them exports it. */
export type SdkModel = Pick<ReturnType<AnthropicProvider['languageModel']>, 'doStream'>
export type SdkPart = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer T> ? T : never
type CallOptions = Parameters<SdkModel['doStream']>[0]
type Message = CallOptions['prompt'][number]
type ProviderOptions = NonNullable<CallOptions['providerOptions']>

/** Anthropic caches the prompt up to a mark; the packages of other providers ignore it. */
const cacheMark = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } satisfies {
  providerOptions: ProviderOptions
}

/** A request in the format of the AI SDK. The tools come first in a prompt, so that a mark on the last covers all. */
export function callOptions(request: GenerateRequest): CallOptions {
  const { tools, toolChoice, temperature, maxTokens, sampling = {}, format } = request
  const { topP, seed, stop, reasoningEffort } = sampling
  return {
    prompt: prompt(request.messages),
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { maxOutputTokens: maxTokens }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters, strict }, index) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: parameters,
        ...(strict !== undefined && { strict }),
        ...(index === tools.length - 1 && cacheMark),
      })),
      ...(toolChoice && { toolChoice: toToolChoice(toolChoice) }),
    }),
    ...(format && { responseFormat: toResponseFormat(format) }),
    ...(isSet(topP) && { topP }),
    ...(isSet(seed) && { seed }),
    ...(stop?.length && { stopSequences: stop }),
    ...(reasoningEffort && { reasoning: reasoningEffort }),
  }
}

const toResponseFormat = ({ name, description, schema }: JsonFormat): NonNullable<CallOptions['responseFormat']> => ({
  type: 'json',
  name,
  schema,
  ...(description !== undefined && { description }),
})

const isSet = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

const toToolChoice = (choice: ToolChoice): NonNullable<CallOptions['toolChoice']> =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }

function prompt(messages: ModelMessage[]): Message[] {
  const all: Message[] = []
  for (const message of messages) {
    const last = all.at(-1)
    // The results of one step's calls go into one message.
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(toolResult(message))
    else if (message.role !== 'assistant' || message.content !== '' || message.toolCalls?.length) {
      // These providers refuse an assistant message without content.
      all.push(promptMessage(message))
    }
  }
  return all
}

function promptMessage(message: ModelMessage): Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content, ...cacheMark }
    case 'user':
      return {
        role: 'user',
        content: [
          ...(message.parts ?? []).map(inputPart),
          ...(message.content === '' && message.parts ? [] : [textPart(message.content)]),
        ],
      }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.reasoning ?? []).map(reasoningPart),
          ...(message.content === '' ? [] : [textPart(message.content)]),
          ...(message.toolCalls ?? []).map(toolCallPart),
        ],
      }
    case 'tool':
      return { role: 'tool', content: [toolResult(message)] }
  }
}

const textPart = (text: string) => ({ type: 'text' as const, text })

const reasoningPart = ({ text, providerMetadata }: Reasoning) => ({
  type: 'reasoning' as const,
  text,
  ...(providerMetadata && { providerOptions: providerMetadata as ProviderOptions }),
})

const inputPart = (part: InputPart) =>
  part.type === 'text'
    ? { ...textPart(part.text), ...(part.endsStablePrefix && cacheMark) }
    : {
        type: 'file' as const,
        mediaType: part.mediaType,
        data: { type: 'data' as const, data: part.data?.mark ?? '' },
      }

const toolCallPart = (call: ToolCall) => ({
  type: 'tool-call' as const,
  toolCallId: call.id,
  toolName: call.name,
  input: parseArguments(call),
  ...(call.providerMetadata && { providerOptions: call.providerMetadata as ProviderOptions }),
})

const toolResult = (message: Extract<ModelMessage, { role: 'tool' }>) => ({
  type: 'tool-result' as const,
  toolCallId: message.toolCallId,
  toolName: message.name,
  output: { type: 'text' as const, value: message.content },
})

/** These providers expect an object, even if the model wrote something else. */
function parseArguments(call: ToolCall): unknown {
  try {
    const value: unknown = JSON.parse(call.arguments)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
