import type { Context } from '../../kernel/context.ts'
import { modelErrors } from '../../kernel/errors.ts'
import { type App, mebibyte } from '../../kernel/http/app.ts'
import { disconnectSignal } from '../../kernel/http/disconnect-signal.ts'
import { ById } from '../../kernel/http/envelope.ts'
import { eventStream } from '../../kernel/http/media-types.ts'
import type { FinishReason } from '../../kernel/llm/model.ts'
import { streamChat } from './chat-stream.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { responseRoutes } from './responses/routes.ts'
import {
  ChatBody,
  ChatCompletion,
  ChatCompletionChunk,
  EmbeddingList,
  EmbeddingsBody,
  ModelList,
  OpenAiModel,
} from './schema.ts'
import { embed, getAgent, listAgents, prepareChat, runChat } from './service.ts'

const tags = ['OpenAI-compatible API']
const finishReasons: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
  tool_calls: 'stop',
  other: 'stop',
}

const chunkExample = {
  id: 'chatcmpl-01k9z8q4m6e3v7t2w5x8y1a4bc',
  object: 'chat.completion.chunk',
  created: 1_769_860_800,
  model: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc',
  choices: [{ index: 0, delta: { content: 'Hello' }, logprobs: null, finish_reason: null }],
}

export function routes(app: App, ctx: Context): void {
  responseRoutes(app, ctx)
  conversationRoutes(app, ctx)

  app.get(
    '/openai/v1/models',
    {
      config: { may: 'read-agents' },
      schema: { tags, summary: 'List agents as models', response: { 200: ModelList } },
    },
    async (request) => ({ object: 'list' as const, data: await listAgents(ctx, request.caller) }),
  )

  app.get(
    '/openai/v1/models/:id',
    {
      config: { may: 'read-agents' },
      schema: { tags, summary: 'Get an agent as a model', params: ById, response: { 200: OpenAiModel } },
    },
    async (request) => getAgent(ctx, request.caller, request.params.id),
  )

  app.post(
    '/openai/v1/chat/completions',
    {
      config: { may: 'converse' },
      bodyLimit: 16 * mebibyte,
      schema: {
        tags,
        summary: 'Create a chat completion with an agent',
        description:
          'The agent uses its own instructions, tools and model. The conversation is in `messages` and is not stored. Functions in `tools` are offered to the model beside those of the agent: calls of them come back as `tool_calls`, and the next request continues with their results. Parameters that cannot be followed are rejected by name. With `stream: true` the response is a stream of `chat.completion.chunk`.',
        body: ChatBody,
        response: { 200: ChatCompletion },
        content: eventStream(ChatCompletionChunk, chunkExample),
        errors: ['not_found', ...modelErrors, 'output_invalid', 'turn_timeout'],
      },
    },
    async (request, reply) => {
      const { body, caller } = request
      const gone = disconnectSignal(reply)
      const chat = await prepareChat(ctx, caller, body, gone)
      const id = ctx.newId('msg').replace('msg_', 'chatcmpl-')
      const origin = `${request.protocol}://${request.host}`
      const common = { id, created: Math.floor(ctx.now() / 1000), model: body.model }

      if (!body.stream) {
        let thought = ''
        const onReasoning = (delta: string) => {
          thought += delta
        }
        const answer = await runChat(ctx, caller, chat, { signal: gone, origin, onText() {}, onReasoning })
        const { annotations, toolCalls, usage } = answer
        const hasCalls = toolCalls.length > 0
        const content = hasCalls && answer.content === '' ? null : answer.content
        const calls = hasCalls && { tool_calls: toolCalls }
        const reasoning = thought !== '' && { reasoning_content: thought }
        const message = { role: 'assistant' as const, content, ...reasoning, ...calls, refusal: null, annotations }
        const finish_reason = hasCalls ? 'tool_calls' : finishReasons[answer.finishReason]
        const choice = { index: 0, message, logprobs: null, finish_reason }
        return { ...common, object: 'chat.completion' as const, choices: [choice], usage }
      }

      await streamChat(ctx, reply, {
        common,
        finishReasons,
        withUsage: body.stream_options?.include_usage ?? false,
        run: (listener) => runChat(ctx, caller, chat, { signal: gone, origin, ...listener }),
      })
      return reply
    },
  )

  app.post(
    '/openai/v1/embeddings',
    {
      config: { may: 'write-configuration' },
      bodyLimit: 16 * mebibyte,
      schema: {
        tags,
        summary: 'Create embeddings',
        body: EmbeddingsBody,
        response: { 200: EmbeddingList },
        errors: ['unknown_reference', ...modelErrors],
      },
    },
    async (request, reply) => {
      const gone = disconnectSignal(reply)
      const { vectors, tokens } = await embed(ctx, request.caller, request.body, gone)
      const asBytes = request.body.encoding_format === 'base64'
      return {
        object: 'list' as const,
        data: vectors.map((vector, index) => ({
          object: 'embedding' as const,
          index,
          embedding: asBytes
            ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
            : [...vector],
        })),
        model: request.body.model,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      }
    },
  )
}
