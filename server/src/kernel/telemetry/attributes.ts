import type { Attributes } from '@opentelemetry/api'
import type { RemoteFacts, Step, StepContent, StepType, TurnFacts } from '../agent/steps.ts'
import type { ModelMessage, ToolCall } from '../llm/model.ts'

/** The version of the GenAI semantic conventions: https://github.com/open-telemetry/semantic-conventions-genai */
export const schemaUrl = 'https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev'

const operations: Partial<Record<StepType, string>> = {
  model: 'chat',
  tool: 'execute_tool',
  retrieval: 'execute_tool',
  embedding: 'embeddings',
  search: 'retrieval',
}

/** Providers that the conventions name differently. */
const providerNames = new Map(Object.entries({ mistral: 'mistral_ai', google: 'gcp.gemini', xai: 'x_ai' }))

export const spanName = ({ type, name }: Step): string => [operations[type] ?? type, name].filter(Boolean).join(' ')

/** Whether a step calls another process. */
export const isClient = ({ type, provider }: Step): boolean =>
  (type === 'model' || type === 'embedding' || type === 'rerank') && provider !== 'local'

/** Undefined values are left out. */
export function stepAttributes(step: Step): Attributes {
  const { type, name, usage, finishReason, firstText } = step
  const isModel = type === 'model' || type === 'embedding' || type === 'rerank'
  const isTool = type === 'tool' || type === 'retrieval'
  return {
    'gen_ai.operation.name': operations[type],
    ...(isModel && { 'gen_ai.request.model': name, 'gen_ai.provider.name': providerName(step.provider) }),
    ...(type === 'model' && { 'gen_ai.request.stream': true }),
    'gen_ai.usage.input_tokens': usage?.input,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInput || undefined,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWrite || undefined,
    'gen_ai.usage.output_tokens': type === 'model' ? usage?.output : undefined,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoning || undefined,
    'gen_ai.response.finish_reasons': finishReason && [finishReason],
    'gen_ai.response.time_to_first_chunk': firstText === undefined ? undefined : firstText / 1000,
    ...(isTool && {
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': step.toolCallId,
      'gen_ai.tool.type': type === 'retrieval' ? 'datastore' : 'function',
    }),
    'parley.step.type': type,
    'parley.model.id': step.modelId,
    'parley.tool.id': step.toolId ?? undefined,
    'parley.cost': typeof step.cost === 'number' ? step.cost / 1e9 : undefined,
    'parley.usage.estimated': step.estimated,
    'parley.attempts': step.attempts,
    'parley.results': step.results,
    'parley.messages': step.messages,
    'parley.messages.omitted': step.omitted,
    'error.type': step.failure && (step.error ?? step.failure),
  }
}

export const remoteAttributes = ({ serverAddress, serverPort, responseModel }: RemoteFacts): Attributes => ({
  'server.address': serverAddress,
  'server.port': serverPort,
  'gen_ai.response.model': responseModel,
})

const providerName = (provider: string | undefined): string | undefined =>
  provider === undefined ? undefined : (providerNames.get(provider) ?? provider)

export const turnAttributes = (facts: TurnFacts): Attributes => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.conversation.id': facts.conversationId,
  'gen_ai.agent.id': facts.agentId,
  'gen_ai.agent.name': facts.agentName,
  'gen_ai.agent.version': facts.agentVersion === undefined ? undefined : String(facts.agentVersion),
  'parley.message.id': facts.messageId,
  'parley.workspace.id': facts.workspace,
})

/** Only with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true. */
export function contentAttributes({ input, output, arguments: args, result }: StepContent): Attributes {
  const system = input?.filter(({ role }) => role === 'system').map(({ content }) => textPart(content))
  const messages = input?.filter(({ role }) => role !== 'system').map(inputMessage)
  return {
    'gen_ai.system_instructions': system?.length ? JSON.stringify(system) : undefined,
    'gen_ai.input.messages': messages && JSON.stringify(messages),
    'gen_ai.output.messages':
      output &&
      JSON.stringify([
        { role: 'assistant', parts: parts(output.text, output.toolCalls), finish_reason: output.finishReason },
      ]),
    'gen_ai.tool.call.arguments': args === undefined ? undefined : JSON.stringify(args),
    'gen_ai.tool.call.result': result,
  }
}

const textPart = (content: string) => ({ type: 'text', content })

const parts = (text: string, calls: readonly ToolCall[] = []) => [
  ...(text === '' ? [] : [textPart(text)]),
  ...calls.map(({ id, name, arguments: args }) => ({ type: 'tool_call', id, name, arguments: args })),
]

function inputMessage(message: ModelMessage) {
  if (message.role === 'tool') {
    const { toolCallId: id, content } = message
    return { role: 'tool', parts: [{ type: 'tool_call_response', id, response: content }] }
  }
  return { role: message.role, parts: parts(message.content, message.role === 'assistant' ? message.toolCalls : []) }
}
