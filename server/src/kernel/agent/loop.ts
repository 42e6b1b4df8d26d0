import { type FinishReason, type ModelMessage, ProviderError, type ToolCall, type ToolSpec } from '../llm/model.ts'
import { documentsShown } from './agent-tool.ts'
import {
  callIds,
  callsToApprove,
  type Decisions,
  type Pause,
  type PendingCall,
  parseJson,
  type ToolResult,
  withEditNote,
  withUniqueIds,
} from './approval.ts'
import { callTool, type FinishedCall, openConversations, type ToolListener } from './call-tool.ts'
import {
  type Generation,
  type GenerationListener,
  type GenerationOptions,
  generateWithFallback,
  windowFor,
} from './generate.ts'
import { offerFor, type RunToolChoice } from './offer.ts'
import { outputInvalid, type RequiredOutput, repairRequest } from './structured.ts'
import type { AgentTool, CallPurpose, Grants } from './tools.ts'
import { fitWindow } from './window.ts'

export type { CallBudget, ModelCall, PlannedCall } from './generate.ts'

/** Receives everything as it happens. */
export interface AgentListener extends ToolListener, GenerationListener {}

export interface AgentRun extends GenerationOptions {
  messages: ModelMessage[]
  tools: AgentTool[]
  /** Tools that the caller runs: their calls end the run, which the caller continues with their results. */
  callerTools?: ToolSpec[]
  toolChoice?: RunToolChoice | null
  /** A search that runs before the first model call. Its result is sent with the question. */
  lookup?: { tool: AgentTool; query: string } | null
  maxSteps: number
  /** Already applied to `tools`; kept so that they also hold after a pause, and for agents that this one asks or hands over to. */
  grants?: Grants
  /** The owner of the tool calls, for the ledger and the trace. */
  purpose?: CallPurpose
  /** Whether calls can be approved later. If not, calls that need approval are refused. */
  canPause?: boolean
  /** Resumes a paused run with the decisions about its pending calls. */
  resumed?: { pause: Pause; decisions: Decisions; approvedTools: ReadonlyMap<string, AgentTool> }
}

export interface AgentOutcome {
  finishReason: FinishReason
  /** Null if no model was called: the run waits again. */
  modelId: string | null
  /** Set if calls wait for approval. */
  paused?: Pause
  /** Set if calls are for the caller. */
  handedOver?: HandedOver
  /** Set if another agent goes on with the reply. */
  handoff?: Handoff
  /** The value of a reply that must be JSON. */
  output?: unknown
}

/** A reply that another agent goes on with. */
export interface Handoff {
  agentId: string
  reason: string
  /** The conversation as the user sees it, without the steps of this run. */
  messages: ModelMessage[]
}

/** A run that the caller continues. Plain data, so that it can be stored. */
export interface HandedOver {
  /** The messages that the run added. The last one requests the calls. */
  messages: ModelMessage[]
  /** Results of the calls of the last step that were made here. */
  results: ToolResult[]
  /** The calls that the caller makes. */
  calls: ToolCall[]
}

/**
 * Calls the model, runs the tools it requests and sends it the results, until it answers. A model without tools that calls
 * one is told once that there is none. Throws the error of a provider or the reason of the signal.
 */
export async function runAgent(run: AgentRun, listener: AgentListener): Promise<AgentOutcome> {
  const { resumed } = run
  const messages = resumed ? [...resumed.pause.messages] : await fittedStart(run)
  const firstAdded = messages.length
  const visible = resumed?.pause.visible ?? firstAdded
  if (resumed) {
    const { results, pending } = await finishStep(run, resumed, listener)
    const paused = { ...resumed.pause, results, pending }
    if (pending.length > 0) return { finishReason: 'tool_calls', modelId: null, paused }
    messages.push(...results)
  } else if (run.lookup) await lookUp(run, run.lookup, messages, listener)
  for (let step = (resumed?.pause.step ?? 0) + 1; ; step++) {
    const offer = offerFor(run, step)
    const omitted = step === 1 ? run.messages.length - firstAdded : 0
    const generation = await generateWithFallback(run, messages, offer, listener, omitted)
    const { completion, modelId } = generation
    if (completion.toolCalls.length === 0 || offer.isLast) {
      if (completion.text === '' && completion.toolCalls.length > 0) throw callInsteadOfAnswer(completion.toolCalls)
      if (run.output) return structuredAnswer(run, run.output, messages, generation, listener)
      return { finishReason: completion.finishReason, modelId }
    }
    const toolCalls = withUniqueIds(completion.toolCalls, callIds(messages))
    const handoff = findHandoff(toolCalls, offer.tools)
    if (handoff) {
      return { finishReason: 'tool_calls', modelId, handoff: { ...handoff, messages: messages.slice(0, visible) } }
    }
    const { text: content, reasoning } = completion
    messages.push({ role: 'assistant', content, toolCalls, ...(reasoning && { reasoning }) })
    const handedOver = toolCalls.filter((call) => run.callerTools?.some(({ name }) => name === call.name))
    const canPause = run.canPause === true && handedOver.length === 0
    const pending = canPause ? callsToApprove(toolCalls, offer.tools) : []
    const deferred = new Set([...handedOver, ...pending].map(({ id }) => id))
    const ready = toolCalls.filter(({ id }) => !deferred.has(id))
    const opened = await openConversations(run, ready, offer.tools)
    const results = await Promise.all(
      ready.map((call) => callTool(run, call, offer.tools, listener, { canPause, opened: opened.get(call.id) })),
    )
    run.signal.throwIfAborted()
    const toolResults = results.filter(isOver).map(toolResult)
    pending.push(...results.flatMap((call) => waitingCall(call, offer.tools)))
    if (pending.length > 0) {
      const paused = { step, messages, results: toolResults, pending, visible }
      return { finishReason: 'tool_calls', modelId, paused }
    }
    if (handedOver.length > 0) {
      const added = messages.slice(firstAdded)
      return {
        finishReason: 'tool_calls',
        modelId,
        handedOver: { messages: added, results: toolResults, calls: handedOver },
      }
    }
    messages.push(...toolResults)
  }
}

/** A call that passes the conversation on. The other calls of its step are not made: their results would be for nobody. */
function findHandoff(calls: ToolCall[], tools: AgentTool[]): Omit<Handoff, 'messages'> | undefined {
  for (const call of calls) {
    const agentId = tools.find(({ name }) => name === call.name)?.handoff
    if (agentId === undefined) continue
    const { reason = '' } = (parseJson(call.arguments) ?? {}) as { reason?: unknown }
    return { agentId, reason: String(reason) }
  }
  return undefined
}

/** The part of the history that fits the preferred model. The run continues from it. */
async function fittedStart(run: AgentRun): Promise<ModelMessage[]> {
  const [preferred] = run.models
  return preferred
    ? [...(await fitWindow(run.tokens, run.messages, offerFor(run, 1).specs, windowFor(run, preferred)))]
    : []
}

/** Adds the results of a search to the last user message. */
async function lookUp(
  run: AgentRun,
  { tool, query }: NonNullable<AgentRun['lookup']>,
  messages: ModelMessage[],
  listener: AgentListener,
): Promise<void> {
  const call = { id: `call_${tool.name}`, name: tool.name, arguments: JSON.stringify({ query }) }
  const { output } = await callTool(run, call, [tool], listener)
  run.signal.throwIfAborted()
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[at]
  if (question?.role !== 'user') return
  messages[at] = { ...question, parts: [...(question.parts ?? []), { type: 'text', text: output.content }] }
}

/** Validates structured output and has the model correct it once. Text is held back until the last check. */
async function structuredAnswer(
  run: AgentRun,
  output: RequiredOutput,
  messages: ModelMessage[],
  first: Generation,
  listener: AgentListener,
): Promise<AgentOutcome> {
  let answer = first
  for (let isCorrected = false; ; isCorrected = true) {
    const { text, finishReason } = answer.completion
    const { faults, json } = await output.check(text, run.signal)
    const isValid = faults.length === 0
    if (isValid || isCorrected)
      for (const piece of json === '' || json === text ? answer.held : [json]) listener.onText(piece)
    if (isValid) return { finishReason, modelId: answer.modelId, output: JSON.parse(json) as unknown }
    if (isCorrected) throw outputInvalid(faults)
    const repair = [...messages, ...repairRequest(text, faults)]
    answer = await generateWithFallback(run, repair, { tools: [], specs: [], isLast: true }, listener)
  }
}

const callInsteadOfAnswer = (calls: ToolCall[]) => {
  const names = [...new Set(calls.map(({ name }) => `"${name}"`))].join(', ')
  return new ProviderError(
    'malformed',
    `The model called ${names} instead of answering, though it had no tools to call in this step.`,
  )
}

/**
 * Runs the approved calls, each with the tool that was approved. Returns the results of all calls of the step in the order of
 * the model, and the calls that wait again.
 */
async function finishStep(
  run: AgentRun,
  { pause: { messages, results, pending }, decisions, approvedTools }: NonNullable<AgentRun['resumed']>,
  listener: AgentListener,
): Promise<Pick<Pause, 'results' | 'pending'>> {
  const last = messages.at(-1)
  const calls = last?.role === 'assistant' ? (last.toolCalls ?? []) : []
  const waiting = calls.filter((call) => pending.some(({ id }) => id === call.id))
  const finished = await Promise.all(
    waiting.map(async (call) => {
      const approved = approvedTools.get(call.id)
      const before = pending.find(({ id }) => id === call.id)
      const { awaits, needs, conversationId = null } = before ?? {}
      const decision = awaits ? undefined : (decisions.get(call.id) ?? { status: 'refused' as const })
      const edited = decision?.edited ?? before?.edited
      const made = edited ? { ...call, arguments: JSON.stringify(edited) } : call
      const { answers } = decision ?? {}
      const options = { decision, awaits, needs, answers, opened: { id: conversationId }, canPause: true }
      return { edited, approved, ended: await callTool(run, made, approved ? [approved] : [], listener, options) }
    }),
  )
  run.signal.throwIfAborted()
  const ended = finished.filter((each) => isOver(each.ended)).map((each) => editedResult(each.ended, each.edited))
  const all = [...results, ...ended]
  return {
    results: calls.flatMap((call) => all.filter(({ toolCallId }) => toolCallId === call.id)),
    pending: finished.flatMap(({ ended, approved, edited }) => waitingCall(ended, approved ? [approved] : [], edited)),
  }
}

const isOver = ({ status }: FinishedCall): boolean => status !== 'waiting'

/** A call that waits for a person, or because the agent that answers it does. */
function waitingCall(call: FinishedCall, tools: AgentTool[], edited?: PendingCall['edited']): PendingCall[] {
  const { id, toolId, name, input, conversationId, output } = call
  const { awaits, needs } = output
  if (awaits && conversationId !== undefined) return [{ id, toolId, name, input, conversationId, awaits }]
  if (!needs) return []
  const tool = tools.find((each) => each.name === name)
  return [
    {
      id,
      toolId,
      name,
      input,
      needs,
      ...(edited && { edited }),
      ...(tool?.approvalTimeoutMinutes !== undefined && { timeoutMinutes: tool.approvalTimeoutMinutes }),
      ...(tool?.pin && { pin: tool.pin() }),
    },
  ]
}

const editedResult = (call: FinishedCall, edited: unknown): ToolResult => {
  const result = toolResult(call)
  return { ...result, content: withEditNote(result.content, edited) }
}

const toolResult = ({ id, name, output }: FinishedCall): ToolResult => {
  const documents = documentsShown(output)
  return { role: 'tool', toolCallId: id, name, content: output.content, ...(documents.length > 0 && { documents }) }
}
