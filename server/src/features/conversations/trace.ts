import { type Static, Type } from 'typebox'
import { isWaiting } from '../../kernel/agent/needs.ts'
import { decodeSteps, type Step, type StepType } from '../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { Choice, Nullable, Timestamp } from '../../kernel/schema.ts'
import { parseTraceparent } from '../../kernel/telemetry/traceparent.ts'
import { timestamp } from '../../kernel/time.ts'
import { Message } from '../runs/schema.ts'
import { dollars } from '../usage/cost.ts'
import { message } from './service.ts'

const stepTypes = [
  'agent',
  'history',
  'model',
  'tool',
  'retrieval',
  'embedding',
  'search',
  'rerank',
  'approval',
  'recall',
  'remember',
  'summary',
] as const satisfies readonly StepType[]

const StepUsage = Type.Object(
  {
    input_tokens: Type.Integer(),
    cached_input_tokens: Type.Integer({ description: 'Part of `input_tokens`: read from the provider’s cache.' }),
    cache_write_tokens: Type.Integer({ description: 'Part of `input_tokens`: written to the provider’s cache.' }),
    output_tokens: Type.Integer(),
    reasoning_tokens: Type.Integer({ description: 'Part of `output_tokens`.' }),
    total_tokens: Type.Integer(),
    cost: Nullable(Type.Number({ description: 'US dollars. Null if the price was not known.' })),
    estimated: Type.Boolean({ description: 'The provider did not report the tokens.' }),
  },
  { title: 'TraceUsage' },
)

export const TraceStep = Type.Object(
  {
    number: Type.Integer({ description: 'Its number in the trace, from 1.' }),
    parent: Nullable(Type.Integer({ description: 'The number of the step that it is a part of.' })),
    type: Choice(stepTypes, {
      description:
        '`agent`: the agent, its prompt and its tools were loaded. `history`: the messages that fit the model were chosen. `model`: a request to a language model. `tool`: a call of an API tool or of an MCP server. `retrieval`: a call of a RAG or retrieval tool, with `embedding`, `search` and `rerank` as its parts. `approval`: the turn waited for a decision. `recall`: facts were recalled. `remember`: facts were written. `summary`: messages that no longer fit were summarized.',
    }),
    name: Type.String({ description: 'The provider’s name of the model, the name of the tool, or the type.' }),
    status: Choice(['running', 'completed', 'failed', 'refused', 'cancelled', 'interrupted']),
    start_ms: Type.Integer({ description: 'From the start of the turn.' }),
    duration_ms: Nullable(Type.Integer({ description: 'Null while the step runs.' })),
    error: Nullable(
      Type.String({
        description: 'Why a request failed: an HTTP status, or a word such as `timeout` or `connection`.',
      }),
    ),
    provider: Nullable(Type.String()),
    model_id: Nullable(Type.String({ description: 'The model, of a step that calls one.' })),
    usage: Nullable(StepUsage),
    time_to_first_token_ms: Nullable(Type.Integer({ description: 'From the start of the step.' })),
    finish_reason: Nullable(Type.String()),
    attempts: Nullable(Type.Integer({ description: 'Requests to the provider, retries included.' })),
    tool_id: Nullable(Type.String()),
    tool_call_id: Nullable(
      Type.String({ description: 'The call in `tool_calls` of the message, with its arguments and result.' }),
    ),
    tool_call_ids: Type.Array(Type.String(), { description: 'The calls that an `approval` is about.' }),
    results: Nullable(
      Type.Integer({
        description: 'Passages that a `retrieval` or `search` found.',
      }),
    ),
    messages: Nullable(Type.Integer({ description: 'Earlier messages that the model gets.' })),
    memories: Nullable(
      Type.Array(
        Type.Object({
          id: Type.String(),
          score: Nullable(Type.Number({ description: 'How well it fits the question, from 0 to 1.' })),
          keyword: Nullable(Type.Number({ description: 'The share of the question that its words cover.' })),
          vector: Nullable(Type.Number({ description: 'How near its meaning is.' })),
        }),
        { description: 'The memories that a `recall` found or a `remember` wrote, and why.' },
      ),
    ),
    omitted_messages: Nullable(Type.Integer({ description: 'Older messages that did not fit the model.' })),
  },
  {
    title: 'TraceStep',
    examples: [
      {
        number: 3,
        parent: null,
        type: 'model',
        name: 'mistral-small-latest',
        status: 'completed',
        start_ms: 4,
        duration_ms: 1790,
        provider: 'mistral',
        time_to_first_token_ms: 410,
        finish_reason: 'stop',
        attempts: 1,
        tool_call_ids: [],
      },
    ],
  },
)
type TraceStep = Static<typeof TraceStep>

export const Trace = Type.Object(
  {
    message_id: Type.String(),
    conversation_id: Type.String(),
    status: Message.properties.status,
    trace_id: Nullable(
      Type.String({
        description: 'The ID of the trace in OpenTelemetry, if it is configured or the request had a `traceparent`.',
      }),
    ),
    started_at: Timestamp,
    duration_ms: Nullable(
      Type.Integer({ description: 'Including the time it waited for approval. Null while the turn runs.' }),
    ),
    time_to_first_token_ms: Message.properties.time_to_first_token_ms,
    usage: Message.properties.usage,
    steps: Type.Array(TraceStep, {
      description: 'In the order they started. Empty for replies of versions that did not record them.',
    }),
  },
  { title: 'Trace' },
)
export type Trace = Static<typeof Trace>

/** The steps of a reply: the stored ones, or those so far if it is running. */
export async function readTrace(ctx: Context, who: Caller, id: string, messageId: string): Promise<Trace> {
  const row = await message(ctx, who, id, messageId)
  if (row.role !== 'assistant') invalid('message', 'is not a reply, and only replies have a trace')
  const live = row.steps === null ? undefined : ctx.state.runs.find(messageId) // without steps, they are hidden from the caller
  const { conversation_id, status, time_to_first_token_ms, usage } = live?.row ?? row
  const { start, steps, traceparent } = live
    ? { start: live.steps.startedAt, steps: live.steps.list, traceparent: live.steps.traceparent }
    : (decodeSteps(row.steps) ?? { start: Date.parse(row.timestamp), steps: [], traceparent: null })
  const isOpen = status === 'running' || isWaiting(status)
  const end = Math.max(row.latency_ms ?? 0, ...steps.map(({ at, ms }) => at + (ms ?? 0)))
  return {
    message_id: row.id,
    conversation_id,
    status,
    trace_id: parseTraceparent(traceparent)?.traceId ?? null,
    started_at: timestamp(start),
    duration_ms: isOpen ? null : end,
    time_to_first_token_ms,
    usage,
    steps: steps.map(presentStep),
  }
}

/** A step as clients see it. The first request to a model shows which messages of the history did not fit. */
export const presentStep = (step: Step, position: number, steps: readonly Step[]): TraceStep => ({
  number: position + 1,
  parent: step.parent === undefined ? null : step.parent + 1,
  type: step.type,
  name: step.name ?? step.type,
  status: step.failure ?? (step.ms === null ? 'running' : 'completed'),
  start_ms: step.at,
  duration_ms: step.ms,
  error: step.error ?? null,
  provider: step.provider ?? null,
  model_id: step.modelId ?? null,
  usage: stepUsage(step),
  time_to_first_token_ms: step.firstText ?? null,
  finish_reason: step.finishReason ?? null,
  attempts: step.attempts ?? (step.type === 'model' ? 1 : null),
  tool_id: step.toolId ?? null,
  tool_call_id: step.toolCallId ?? null,
  tool_call_ids: step.toolCallIds ?? [],
  results: step.results ?? null,
  messages: step.messages ?? null,
  memories: step.memories ?? null,
  omitted_messages: step.type === 'history' ? (steps.find(({ type }) => type === 'model')?.omitted ?? 0) : null,
})

function stepUsage({ usage, cost = 0, estimated = false }: Step): TraceStep['usage'] {
  if (!usage) return null
  const { input, cachedInput, cacheWrite = 0, output, reasoning } = usage
  return {
    input_tokens: input,
    cached_input_tokens: cachedInput,
    cache_write_tokens: cacheWrite,
    output_tokens: output,
    reasoning_tokens: reasoning,
    total_tokens: input + output,
    cost: cost === null ? null : dollars(cost),
    estimated,
  }
}
