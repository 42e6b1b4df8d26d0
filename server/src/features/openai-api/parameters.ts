import { isDeepStrictEqual } from 'node:util'
import { type Static, type TSchema, Type } from 'typebox'
import { invalid } from '../../kernel/errors.ts'
import type { Sampling } from '../../kernel/llm/model.ts'
import { missingParameters, providerNamed } from '../../kernel/llm/providers.ts'
import { Choice, Nullable } from '../../kernel/schema.ts'
import { Agent } from '../agents/schema.ts'
import type { AgentSetup, PreparedRun } from '../runs/setup.ts'

const { top_p, stop, seed, parallel_tool_calls } = Agent.properties
const MaxTokens = Type.Integer({
  minimum: 1,
  maximum: 100_000_000,
  description: "The agent's `max_tokens` applies if it is lower.",
})
const noEffect = (description: string) => `${description} It does not change the answer.`

type Effort = NonNullable<Sampling['reasoningEffort']>
const efforts: Effort[] = ['low', 'medium', 'high']
/** OpenAI's efforts, and the nearest ones that an agent knows. */
const requestedEfforts = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const satisfies Record<string, Effort>
type RequestedEffort = keyof typeof requestedEfforts
export const RequestedEffort = Choice(Object.keys(requestedEfforts) as RequestedEffort[], {
  description:
    "The agent's `reasoning_effort` applies if it is lower. `none` and `minimal` mean `low`; `xhigh` and `max` mean `high`.",
})
export const Verbosity = Choice(['low', 'medium', 'high'], {
  description: noEffect('How long the reply should be: its agent decides.'),
})

/** Request parameters beside the messages. The agent's model gets those that can change the answer. */
export const samplingParameters = {
  temperature: Type.Optional(
    Nullable(Type.Number({ minimum: 0, maximum: 2, description: "The agent's `temperature` applies if it is lower." })),
  ),
  max_tokens: Type.Optional(Nullable(MaxTokens)),
  max_completion_tokens: Type.Optional(Nullable(MaxTokens)),
  top_p: Type.Optional({ ...top_p, description: "The agent's `top_p` applies if it is lower." }),
  stop: Type.Optional({ ...stop, description: "Instead of the agent's `stop`." }),
  seed: Type.Optional({ ...seed, description: "Instead of the agent's `seed`." }),
  reasoning_effort: Type.Optional(Nullable(RequestedEffort)),
  verbosity: Type.Optional(Nullable(Verbosity)),
  parallel_tool_calls: Type.Optional({
    ...parallel_tool_calls,
    description: "Instead of the agent's `parallel_tool_calls`.",
  }),
  user: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  safety_identifier: Type.Optional(
    Nullable(Type.String({ maxLength: 200, description: 'Used if `user` is missing.' })),
  ),
  metadata: Type.Optional(
    Nullable(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: noEffect('Labels.'),
      }),
    ),
  ),
  prompt_cache_key: Type.Optional(Nullable(Type.String({ description: noEffect('A hint for caches.') }))),
  prompt_cache_retention: Type.Optional(Nullable(Type.String({ description: noEffect('A hint for caches.') }))),
}
const Parameters = Type.Object(samplingParameters)
type Parameters = Static<typeof Parameters>

/** Parameters of OpenAI that an agent cannot follow, with the values that ask for nothing. */
const unsupported: Record<string, unknown[]> = {
  audio: [],
  frequency_penalty: [0],
  function_call: ['none', 'auto'],
  functions: [[]],
  logit_bias: [{}],
  logprobs: [false],
  modalities: [['text']],
  n: [1],
  prediction: [],
  presence_penalty: [0],
  service_tier: ['auto', 'default'],
  store: [false],
  top_logprobs: [0],
  web_search_options: [],
}
const onlyThese = (values: unknown[]) => values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')

/** Declared, so that they are known parameters. */
export const unsupportedParameters: object = Object.fromEntries(
  Object.entries(unsupported).map(([name, values]): [string, TSchema] => {
    const description = values.length > 0 ? `Only ${onlyThese(values)}.` : 'Not supported: 400.'
    return [name, Type.Optional(Type.Unsafe<unknown>({ description }))]
  }),
)

const passedOn = {
  topP: 'top_p',
  stop: 'stop',
  seed: 'seed',
  reasoningEffort: 'reasoning_effort',
  parallelToolCalls: 'parallel_tool_calls',
} as const satisfies Record<keyof Sampling, keyof Parameters>

/** Rejects, by name, what cannot be passed on to the model of the agent. */
export function rejectUnsupported(body: Parameters & object, { model }: AgentSetup): void {
  const fields = body as Record<string, unknown>
  for (const [name, values] of Object.entries(unsupported)) {
    const value = fields[name] ?? null
    if (value === null || values.some((harmless) => isDeepStrictEqual(value, harmless))) continue
    const instead = name === 'functions' || name === 'function_call' ? 'use tools' : 'leave it out'
    const only =
      values.length > 0 ? `can only be ${values.map((each) => JSON.stringify(each)).join(' or ')}` : 'is not supported'
    invalid(name, `${only}: an agent cannot follow it; ${instead}`)
  }
  rejectMissing(body, model.provider)
}

/** Rejects, by name, what the API of the provider has no parameter for. */
export function rejectMissing(body: Parameters, provider: string): void {
  for (const missing of missingParameters[providerNamed(provider).protocol]) {
    const name = passedOn[missing]
    if ((body[name] ?? null) !== null) invalid(name, `is not supported by the model of this agent (${provider})`)
  }
}

/** A request can lower the agent's limits, never raise them. The rest replaces what the agent says. */
export function withParameters(run: PreparedRun, body: Parameters): PreparedRun {
  const { sampling = {} } = run
  return {
    ...run,
    temperature: atMost(run.temperature, body.temperature),
    maxTokens: atMost(run.maxTokens, body.max_completion_tokens ?? body.max_tokens),
    sampling: {
      topP: atMost(sampling.topP ?? null, body.top_p),
      stop: body.stop ? [body.stop].flat() : (sampling.stop ?? null),
      seed: body.seed ?? sampling.seed ?? null,
      reasoningEffort: lowerEffort(sampling.reasoningEffort ?? null, body.reasoning_effort ?? null),
      parallelToolCalls: body.parallel_tool_calls ?? sampling.parallelToolCalls ?? null,
    },
  }
}

const atMost = (limit: number | null, wanted: number | null | undefined): number | null =>
  limit === null ? (wanted ?? null) : Math.min(limit, wanted ?? limit)

function lowerEffort(limit: Effort | null, requested: RequestedEffort | null): Effort | null {
  const wanted = requested && requestedEfforts[requested]
  if (limit === null || wanted === null) return limit ?? wanted
  return efforts[Math.min(efforts.indexOf(limit), efforts.indexOf(wanted))] ?? limit
}
