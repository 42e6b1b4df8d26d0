/** A scripted reply in the wire format of each provider. */

export interface ScriptedToolCall {
  id?: string
  name: string
  /** The text that the model writes, which may be invalid JSON. */
  arguments: string
  /** The number of pieces in which the arguments are sent. */
  pieces?: number
  /** Google's thought signature. */
  signature?: string
}

export interface ScriptedUsage {
  input: number
  cachedInput?: number
  /** Only Anthropic reports it. */
  cacheWrite?: number
  output: number
  reasoning?: number
}

export interface Reply {
  /** Reasoning before the reply. */
  thoughts?: string[]
  deltas?: string[]
  toolCalls?: ScriptedToolCall[]
  /** In the provider's terms. Default: a normal end. Null: not sent. */
  finishReason?: string | null
  /** Null: not sent. */
  usage?: ScriptedUsage | null
}

export type Wire = 'openai' | 'anthropic' | 'google' | 'cohere'

/** The frames of a streamed reply: before, one for each delta, and after. */
export interface Frames {
  head: string[]
  deltas: string[]
  tail: string[]
}

export const completeUsage = (reply: Reply): Required<ScriptedUsage> | null =>
  reply.usage === null
    ? null
    : {
        cachedInput: 0,
        cacheWrite: 0,
        reasoning: 0,
        ...(reply.usage ?? { input: 12, output: reply.deltas?.length ?? 0 }),
      }

export const toCallId = (call: ScriptedToolCall, index: number): string => call.id ?? `call_${index}`

export function splitText(text: string, count: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / count))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}

export const encodeFrames = (reply: Reply, wire: Wire): Frames => encoders[wire](reply)

const encoders: Record<Wire, (reply: Reply) => Frames> = {
  openai: openaiFrames,
  anthropic: anthropicFrames,
  google: googleFrames,
  cohere: cohereFrames,
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

const openaiHead = {
  id: 'chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG',
  object: 'chat.completion.chunk',
  created: 1_741_570_283,
  model: 'scripted-1',
  service_tier: 'default',
  system_fingerprint: 'fp_fc9f1d7035',
}

const openaiChoice = (delta: object, finish_reason: string | null = null) =>
  data({ ...openaiHead, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })

export function openaiUsage(reply: Reply) {
  const usage = completeUsage(reply)
  return usage === null
    ? null
    : {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cachedInput, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: 0 },
      }
}

export const openaiFinish = (reply: Reply): string | null =>
  reply.finishReason === undefined ? (reply.toolCalls?.length ? 'tool_calls' : 'stop') : reply.finishReason

function openaiFrames(reply: Reply): Frames {
  const calls = (reply.toolCalls ?? []).flatMap((call, index) => [
    openaiChoice({
      tool_calls: [
        { index, id: toCallId(call, index), type: 'function', function: { name: call.name, arguments: '' } },
      ],
    }),
    ...splitText(call.arguments, call.pieces ?? 2).map((piece) =>
      openaiChoice({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ])
  const finish = openaiFinish(reply)
  const usage = openaiUsage(reply)
  return {
    head: [
      openaiChoice({ role: 'assistant', content: '', refusal: null }),
      ...(reply.thoughts ?? []).map((reasoning_content) => openaiChoice({ reasoning_content })),
    ],
    deltas: (reply.deltas ?? []).map((content) => openaiChoice({ content })),
    tail: [
      ...calls,
      ...(finish === null ? [] : [openaiChoice({}, finish)]),
      ...(usage === null ? [] : [data({ ...openaiHead, choices: [], usage })]),
      'data: [DONE]\n\n',
    ],
  }
}

const named = (value: { type: string } & Record<string, unknown>): string => `event: ${value.type}\n${data(value)}`

function anthropicFrames(reply: Reply): Frames {
  const usage = completeUsage(reply) ?? { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  const input = {
    input_tokens: usage.input - usage.cachedInput - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cachedInput,
  }
  const calls = (reply.toolCalls ?? []).flatMap((call, position) => {
    const index = position + 1
    const content_block = { type: 'tool_use', id: toCallId(call, position), name: call.name, input: {} }
    return [
      named({ type: 'content_block_start', index, content_block }),
      ...splitText(call.arguments, call.pieces ?? 2).map((partial_json) =>
        named({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
      ),
      named({ type: 'content_block_stop', index }),
    ]
  })
  const stop_reason = reply.finishReason ?? (reply.toolCalls?.length ? 'tool_use' : 'end_turn')
  const end = [
    named({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    named({ type: 'message_stop' }),
  ]
  return {
    head: [
      named({
        type: 'message_start',
        message: {
          id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
          type: 'message',
          role: 'assistant',
          model: 'scripted-1',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...input, output_tokens: 1 },
        },
      }),
      ...anthropicThoughts(reply.thoughts ?? []),
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      named({ type: 'ping' }),
    ],
    deltas: (reply.deltas ?? []).map((text) =>
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    ),
    tail: [named({ type: 'content_block_stop', index: 0 }), ...calls, ...(reply.finishReason === null ? [] : end)],
  }
}

function anthropicThoughts(thoughts: string[]): string[] {
  const index = 100 // another block than those of the reply
  const delta = (more: { type: string } & Record<string, unknown>) =>
    named({ type: 'content_block_delta', index, delta: more })
  if (thoughts.length === 0) return []
  return [
    named({ type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '', signature: '' } }),
    ...thoughts.map((thinking) => delta({ type: 'thinking_delta', thinking })),
    delta({ type: 'signature_delta', signature: 'signed' }),
    named({ type: 'content_block_stop', index }),
  ]
}

/** Google ends its lines with CRLF. */
const googleData = (parts: object[], more: object, end: object = {}): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...end }], ...more })}\r\n\r\n`

function googleFrames(reply: Reply): Frames {
  const usage = completeUsage(reply)
  const more = {
    ...(usage && {
      usageMetadata: {
        promptTokenCount: usage.input,
        cachedContentTokenCount: usage.cachedInput,
        // Google counts thoughts separately.
        candidatesTokenCount: usage.output - usage.reasoning,
        thoughtsTokenCount: usage.reasoning,
        totalTokenCount: usage.input + usage.output,
      },
    }),
    modelVersion: 'scripted-1',
    responseId: 'mAitaLmkHPPlz7IPvtfUqQ4',
  }
  const calls = (reply.toolCalls ?? []).map((call) => ({
    functionCall: { name: call.name, args: JSON.parse(call.arguments) as unknown },
    ...(call.signature !== undefined && { thoughtSignature: call.signature }),
  }))
  const end = reply.finishReason === null ? {} : { finishReason: reply.finishReason ?? 'STOP' }
  return {
    head: (reply.thoughts ?? []).map((text) => googleData([{ text, thought: true }], more)),
    deltas: (reply.deltas ?? []).map((text) => googleData([{ text }], more)),
    tail: [googleData(calls.length > 0 ? calls : [{ text: '' }], more, end)],
  }
}

function cohereFrames(reply: Reply): Frames {
  const usage = completeUsage(reply)
  const content = (type: string, more?: object) =>
    data({ type, index: 0, ...(more && { delta: { message: { content: more } } }) })
  const calls = (reply.toolCalls ?? []).flatMap((call, index) => [
    data({
      type: 'tool-call-start',
      index,
      delta: {
        message: {
          tool_calls: { id: toCallId(call, index), type: 'function', function: { name: call.name, arguments: '' } },
        },
      },
    }),
    ...splitText(call.arguments, call.pieces ?? 2).map((piece) =>
      data({ type: 'tool-call-delta', index, delta: { message: { tool_calls: { function: { arguments: piece } } } } }),
    ),
    data({ type: 'tool-call-end', index }),
  ])
  const tokens = { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 }
  const end = data({
    type: 'message-end',
    delta: {
      finish_reason: reply.finishReason ?? (reply.toolCalls?.length ? 'TOOL_CALL' : 'COMPLETE'),
      usage: { billed_units: tokens, tokens },
    },
  })
  return {
    head: [
      data({
        type: 'message-start',
        id: '29f14a5a-11de-4cae-9800-25e4747408ea',
        delta: { message: { role: 'assistant' } },
      }),
      content('content-start', { type: 'text', text: '' }),
    ],
    deltas: (reply.deltas ?? []).map((text) => content('content-delta', { text })),
    tail: [content('content-end'), ...calls, ...(reply.finishReason === null ? [] : [end])],
  }
}
