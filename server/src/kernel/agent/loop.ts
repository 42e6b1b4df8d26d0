import type { TokenCounter } from '@parley/documents'
import { estimateUsage } from '../llm/estimate-usage.ts'
import { withImages } from '../llm/input-parts.ts'
import type {
  Completion,
  FinishReason,
  ImageData,
  ImagePart,
  LanguageModel,
  ModelMessage,
  Sampling,
  TokenUsage,
  ToolCall,
  ToolSpec,
} from '../llm/model.ts'
import { ProviderError } from '../llm/model.ts'
import { generateWithRetries, type RetryOptions, whileCallerWaits } from '../llm/retry.ts'
import { second } from '../time.ts'
import { callsToApprove, type Decisions, type Pause, type ToolResult, withUniqueIds } from './approval.ts'
import { callTool, type FinishedCall, type ToolListener } from './call-tool.ts'
import { type Offer, offerFor, type RunToolChoice } from './offer.ts'
import { failureOf, type RunningStep, type Steps } from './steps.ts'
import { outputInvalid, type RequiredOutput, repairRequest } from './structured.ts'
import type { AgentTool, CallPurpose } from './tools.ts'
import { fitWindow } from './window.ts'

/** A model that may be used, with the id of its resource. */
export interface ModelChoice {
  id: string
  provider: string
  /** The provider's name of it. */
  name: string
  /** In tokens. Null if unknown. */
  contextWindow: number | null
  model: LanguageModel
  seesImages?: boolean
}

/** One request to a model, for the ledger. */
export interface ModelCall {
  modelId: string
  usage: TokenUsage
  /** The provider did not report usage; it was estimated. */
  estimated: boolean
}

/** Receives everything as it happens. */
export interface AgentListener extends ToolListener {
  onText(delta: string): void
  onReasoning?(delta: string): void
  onModelCall(call: ModelCall): void
}

/** Reserves the cost of a request before it is made. */
export interface CallBudget {
  /** Throws if the budget is exhausted. Returns the token limit of the reply, or null for none. */
  reserve(call: PlannedCall): Promise<number | null>
  /** Records the usage of a request. A request without a record cost nothing. */
  note(call: ModelCall): void
}

export interface PlannedCall {
  modelId: string
  messages: ModelMessage[]
  tools: ToolSpec[]
  maxTokens: number | null
}

export interface AgentRun {
  /** The preferred model, then its fallbacks. */
  models: ModelChoice[]
  messages: ModelMessage[]
  tools: AgentTool[]
  /** Tools that the caller runs: their calls end the run, which the caller continues with their results. */
  callerTools?: ToolSpec[]
  toolChoice?: RunToolChoice | null
  /** A search that is made before the model is asked. It gets the result with the question. */
  lookup?: { tool: AgentTool; query: string } | null
  /** Reads an image; null if it is gone. */
  loadImage?(image: ImagePart): Promise<ImageData | null>
  maxSteps: number
  temperature: number | null
  maxTokens: number | null
  sampling?: Sampling
  /** The required format of the reply. By default it is text. */
  output?: RequiredOutput | null
  signal: AbortSignal
  /** Estimates the usage that a provider does not report. */
  tokens: Pick<TokenCounter, 'count'>
  /** The owner of the tool calls, for the ledger and the trace. */
  purpose?: CallPurpose
  retry?: RetryOptions
  /** Nobody waits for the answer, so a provider that limits requests is waited for. */
  isUnattended?: boolean
  budget?: CallBudget | null
  /** Records the steps of the run. Those that the signal stops are left open. */
  steps: Steps
  /** In nano-dollars, for the steps. */
  costOf(call: Pick<ModelCall, 'modelId' | 'usage'>): number
  /** Whether calls can be approved later. If not, calls that need approval are refused. */
  canPause?: boolean
  /** Resumes a paused run with the decisions about its pending calls. */
  resumed?: { pause: Pause; decisions: Decisions; approvedTools: ReadonlyMap<string, AgentTool> }
}

export interface AgentOutcome {
  finishReason: FinishReason
  modelId: string
  /** Set if calls wait for approval. */
  paused?: Pause
  /** Set if calls are for the caller. */
  handedOver?: HandedOver
  /** The value of a reply that must be JSON. */
  output?: unknown
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

/** With another model to fall back on, a busy one is not waited for long. */
const maxWaitBeforeFallback = 5 * second

/**
 * Calls the model, runs the tools it requests and sends it the results, until it answers. A model without tools that calls
 * one is told once that there is none. Throws the error of a provider or the reason of the signal.
 */
export async function runAgent(run: AgentRun, listener: AgentListener): Promise<AgentOutcome> {
  const { resumed } = run
  const messages = resumed ? [...resumed.pause.messages] : await fittedStart(run)
  const firstAdded = messages.length
  if (resumed) messages.push(...(await finishStep(run, resumed, listener)))
  else if (run.lookup) await lookUp(run, run.lookup, messages, listener)
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
    const toolCalls = withUniqueIds(completion.toolCalls, messages)
    const { text: content, reasoning } = completion
    messages.push({ role: 'assistant', content, toolCalls, ...(reasoning && { reasoning }) })
    const handedOver = toolCalls.filter((call) => run.callerTools?.some(({ name }) => name === call.name))
    const pending = run.canPause && handedOver.length === 0 ? callsToApprove(toolCalls, offer.tools) : []
    const elsewhere = new Set([...handedOver, ...pending].map(({ id }) => id))
    const ready = toolCalls.filter(({ id }) => !elsewhere.has(id))
    const results = await Promise.all(ready.map((call) => callTool(run, call, offer.tools, listener)))
    run.signal.throwIfAborted()
    const toolResults = results.map(toolResult)
    if (pending.length > 0) {
      return { finishReason: 'tool_calls', modelId, paused: { step, messages, results: toolResults, pending } }
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

/** A run goes on from the part of its history that fits its preferred model. */
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
  const asked = messages[at]
  if (asked?.role !== 'user') return
  messages[at] = { ...asked, parts: [...(asked.parts ?? []), { type: 'text', text: output.content }] }
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
    const asked = [...messages, ...repairRequest(text, faults)]
    answer = await generateWithFallback(run, asked, { tools: [], specs: [], isLast: true }, listener)
  }
}

const callInsteadOfAnswer = (calls: ToolCall[]) => {
  const names = [...new Set(calls.map(({ name }) => `"${name}"`))].join(', ')
  return new ProviderError(
    'malformed',
    `The model called ${names} instead of answering, though it had no tools to call in this step.`,
  )
}

/** Runs the approved calls, each with the tool that was approved. Returns the results of all calls of the step in the order of the model. */
async function finishStep(
  run: AgentRun,
  { pause: { messages, results, pending }, decisions, approvedTools }: NonNullable<AgentRun['resumed']>,
  listener: AgentListener,
): Promise<ToolResult[]> {
  const last = messages.at(-1)
  const calls = last?.role === 'assistant' ? (last.toolCalls ?? []) : []
  const waiting = calls.filter((call) => pending.some(({ id }) => id === call.id))
  const finished = await Promise.all(
    waiting.map((call) => {
      const approved = approvedTools.get(call.id)
      return callTool(run, call, approved ? [approved] : [], listener, decisions.get(call.id) ?? { status: 'refused' })
    }),
  )
  run.signal.throwIfAborted()
  const all = [...results, ...finished.map(toolResult)]
  return calls.flatMap((call) => all.filter(({ toolCallId }) => toolCallId === call.id))
}

const toolResult = ({ id, name, output }: FinishedCall): ToolResult => ({
  role: 'tool',
  toolCallId: id,
  name,
  content: output.content,
})

interface Generation {
  completion: Completion
  modelId: string
  /** Pieces of text that are held back until the JSON is validated. */
  held: string[]
}

/** Generates with the first model; if it fails before any text was shown, with the next. */
async function generateWithFallback(
  run: AgentRun,
  given: ModelMessage[],
  { specs, toolChoice }: Offer,
  listener: AgentListener,
  omitted = 0,
): Promise<Generation> {
  let failure: unknown
  for (const [index, choice] of run.models.entries()) {
    const isLast = index === run.models.length - 1
    const messages = await fitWindow(run.tokens, given, specs, windowFor(run, choice))
    let shown = ''
    const held: string[] = []
    let attempts = 1
    let isAsked = false
    const recordUsage = async (step: RunningStep, reported: TokenUsage | null) => {
      const usage = reported ?? (await estimateUsage(run.tokens, { messages, tools: specs }, shown))
      const call = { modelId: choice.id, usage, estimated: reported === null }
      run.budget?.note(call)
      step.note({ usage, ...(call.estimated && { estimated: true }), cost: run.costOf(call) })
      listener.onModelCall(call)
    }
    const planned = { modelId: choice.id, messages, tools: specs, maxTokens: run.maxTokens }
    const maxTokens = run.budget ? await run.budget.reserve(planned) : run.maxTokens
    const step = run.steps.start('model', { name: choice.name, provider: choice.provider, modelId: choice.id })
    if (omitted > 0) step.note({ omitted })
    const retry: RetryOptions = {
      ...(!run.isUnattended && whileCallerWaits),
      ...(!isLast && { maxWait: maxWaitBeforeFallback }),
      ...run.retry,
      onAttempt() {
        isAsked = true
      },
      onRetry(error, wait) {
        isAsked = false
        step.note({ attempts: ++attempts })
        run.retry?.onRetry?.(error, wait)
      },
    }
    try {
      const sent = await withImages(messages, choice.seesImages ?? false, run.loadImage ?? (async () => null))
      const completion = await generateWithRetries(
        choice.model,
        {
          messages: sent,
          tools: specs,
          ...(toolChoice && { toolChoice }),
          temperature: run.temperature,
          maxTokens,
          ...(run.sampling && { sampling: run.sampling }),
          ...(run.output && { format: run.output.format }),
          signal: run.signal,
          onText(delta) {
            if (shown === '') step.note({ firstText: step.elapsed() })
            shown += delta
            if (run.output) held.push(delta)
            else listener.onText(delta)
          },
          onReasoning(delta) {
            listener.onReasoning?.(delta)
          },
        },
        retry,
      )
      await recordUsage(step, completion.usage)
      step.content(() => ({ input: messages, output: completion }))
      step.end({ finishReason: completion.finishReason })
      return { completion, modelId: choice.id, held }
    } catch (error) {
      failure = error
      const reported = error instanceof ProviderError ? error.usage : null
      const isStopped = run.signal.aborted && isAsked // waiting for the next attempt costs nothing
      if (reported !== null || shown !== '' || isStopped) await recordUsage(step, reported)
      if (!run.signal.aborted) step.end(failureOf(error))
      for (const piece of held) listener.onText(piece)
      if (shown !== '' || run.signal.aborted || !(error instanceof ProviderError)) throw error
    }
  }
  throw failure ?? new Error('An agent needs a model.')
}

const windowFor = ({ maxTokens }: AgentRun, { contextWindow }: ModelChoice) => ({ contextWindow, maxTokens })
