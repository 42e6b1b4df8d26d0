import type { RunToolChoice } from '../../../kernel/agent/offer.ts'
import type { Role } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { ModelMessage, ToolSpec } from '../../../kernel/llm/model.ts'
import { forRetryingClients } from '../../../kernel/llm/retry.ts'
import type { PreparedRun } from '../../runs/setup.ts'
import { rejectOtherTools } from '../caller-tools.ts'
import { rejectMissing, withParameters } from '../parameters.ts'
import { shownFormat } from './format.ts'
import type { Plan } from './plan.ts'
import type { ResponseRequest } from './record.ts'
import type { ResponseBody } from './schema.ts'

/** Refuses by name what cannot be done, before anything is stored. */
export function rejectUnsupported(body: ResponseBody): void {
  rejectOtherTools(body.tools ?? [])
  const isStored = body.store !== false
  if (body.background && !isStored) invalid('background', 'needs store: what is not stored ends with its connection')
  if (body.conversation && !isStored) invalid('store', 'must be true in a conversation; use previous_response_id')
}

/** The run with what the request asks for. A request can lower the agent's limits, never raise them. */
export function withRequest(run: PreparedRun, body: ResponseBody, plan: Plan, role: Role): PreparedRun {
  const callerTools = checkedTools(body, run)
  const { temperature = null, top_p = null, max_output_tokens: max_tokens = null, parallel_tool_calls = null } = body
  const reasoning_effort = body.reasoning?.effort ?? null
  const parameters = { temperature, top_p, max_tokens, parallel_tool_calls, reasoning_effort }
  rejectMissing(parameters, run.models[0]?.provider ?? '')
  return {
    ...withParameters(run, parameters),
    messages: withInstructions(run.messages, plan.standing, body.instructions ?? '', role),
    retry: forRetryingClients,
    callerTools,
    toolChoice: toToolChoice(body, [...run.tools, ...callerTools]) ?? run.toolChoice ?? null,
  }
}

export const hasCallerTools = ({ tools }: ResponseBody): boolean => (tools?.length ?? 0) > 0

const toSpecs = (tools: ResponseBody['tools']): ToolSpec[] =>
  (tools ?? []).map(({ name, description, parameters, strict }) => ({
    name,
    description: description ?? '',
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' && { strict }),
  }))

function checkedTools({ tools }: ResponseBody, run: PreparedRun): ToolSpec[] {
  const all = toSpecs(tools)
  for (const [index, { name }] of all.entries()) {
    const at = `tools[${index}].name`
    if (!name) invalid(at, 'is required')
    if (run.tools.some((tool) => tool.name === name)) invalid(at, `"${name}" is one of the agent's own tools`)
    if (all.findIndex((tool) => tool.name === name) !== index) invalid(at, `"${name}" is listed twice`)
  }
  return all
}

function toToolChoice({ tool_choice: choice }: ResponseBody, tools: { name: string }[]): RunToolChoice | null {
  if (!choice || choice === 'auto' || choice === 'none') return choice ?? null
  const isFunction = typeof choice === 'object' && choice.type === 'function' && typeof choice.name === 'string'
  if (choice !== 'required' && !isFunction) {
    invalid('tool_choice', 'must be auto, none, required, or {"type": "function", "name": …}')
  }
  if (tools.length === 0) invalid('tool_choice', 'asks for a call, but there are no tools')
  if (choice === 'required') return choice
  if (!tools.some(({ name }) => name === choice.name)) {
    const known = tools.map(({ name }) => name).join(', ')
    invalid('tool_choice.name', `there is no tool "${choice.name}"; there are: ${known}`)
  }
  return { name: choice.name }
}

/**
 * The agent's own instructions come first, then those that were sent as messages, then those of this request. From the
 * role `user` they are user content.
 */
function withInstructions(messages: ModelMessage[], standing: string[], own: string, role: Role): ModelMessage[] {
  const isTrusted = role !== 'user'
  const [first, ...rest] = messages
  const hasSystem = first?.role === 'system'
  const system = [...(hasSystem ? [first.content] : []), ...standing, ...(isTrusted && own !== '' ? [own] : [])]
  return [
    ...(system.length > 0 ? [{ role: 'system' as const, content: system.join('\n\n') }] : []),
    ...(!isTrusted && own !== '' ? [{ role: 'user' as const, content: own }] : []),
    ...(hasSystem ? rest : messages),
  ]
}

/** Records the settings that were actually used, so that the response can return them. */
export function requestRecord(body: ResponseBody, plan: Plan, run: PreparedRun): ResponseRequest {
  return {
    echo: {
      model: body.model ?? plan.agentId,
      previous_response_id: body.previous_response_id ?? null,
      instructions: body.instructions ?? null,
      tools: (body.tools ?? []).map(({ name, description, parameters, strict }) => ({
        type: 'function' as const,
        name,
        description: description ?? null,
        parameters: parameters ?? null,
        strict: strict ?? null,
      })),
      tool_choice: body.tool_choice ?? 'auto',
      parallel_tool_calls: run.sampling?.parallelToolCalls ?? true,
      temperature: run.temperature ?? 1,
      top_p: run.sampling?.topP ?? 1,
      max_output_tokens: run.maxTokens,
      reasoning: { effort: run.sampling?.reasoningEffort ?? null, summary: body.reasoning?.summary ?? null },
      text: { format: shownFormat(run) },
      store: body.store !== false,
      background: body.background ?? false,
      metadata: body.metadata ?? {},
      user: body.user ?? null,
      safety_identifier: body.safety_identifier ?? null,
      prompt_cache_key: body.prompt_cache_key ?? null,
    },
    input: plan.input.items,
    standing: plan.standing,
    ...(plan.sentEarlier > 0 && { earlier: plan.sentEarlier }),
  }
}
