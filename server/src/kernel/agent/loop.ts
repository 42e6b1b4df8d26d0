import { reason } from '../errors.ts'
import type {
  Completion,
  FinishReason,
  LanguageModel,
  ModelMessage,
  TokenUsage,
  ToolCall,
  ToolSpec,
} from '../llm/model.ts'
import { ProviderError } from '../llm/model.ts'
import { generateWithRetries, type RetryOptions } from '../llm/retry.ts'
import { second } from '../time.ts'
import {
  type Decisions,
  openCalls,
  type Pause,
  parsed,
  refusedByPerson,
  refusedByPlace,
  type StartedCall,
  type ToolResult,
  withUniqueIds,
} from './approval.ts'
import type { AgentTool, ToolOutput } from './tools.ts'

/** A model that may be used, and how the rest of the house knows it. */
export interface ModelChoice {
  id: string
  model: LanguageModel
}

export interface FinishedCall extends StartedCall {
  /** `refused`: it needed a person's approval and did not get it. */
  status: 'completed' | 'failed' | 'refused'
  output: ToolOutput
  latency: number
}

/** One request to a model, for the ledger. */
export interface ModelCall {
  modelId: string
  usage: TokenUsage
  /** The provider did not report it; it was worked out from the length of the texts. */
  estimated: boolean
}

/** Hears of everything as it happens. */
export interface AgentListener {
  onText(delta: string): void
  onToolStarted(call: StartedCall): void
  onToolFinished(call: FinishedCall): void
  onModelCall(call: ModelCall): void
  /** How many citations it has counted so far. */
  cited?(): number
}

/** Sees to it that a request to a model can be paid for before it is made. */
export interface CallBudget {
  /** Throws when there is not enough left. Answers with how long the reply may be, null for as long as it likes. */
  reserve(call: PlannedCall): Promise<number | null>
  /** Hears what the request came to; one that is not heard of came to nothing. */
  note(call: Pick<ModelCall, 'modelId' | 'usage'>): void
}

export interface PlannedCall {
  modelId: string
  messages: ModelMessage[]
  tools: ToolSpec[]
  maxTokens: number | null
}

export interface AgentRun {
  /** The first one, then the ones to fall back on. */
  models: ModelChoice[]
  messages: ModelMessage[]
  tools: AgentTool[]
  maxSteps: number
  temperature: number | null
  maxTokens: number | null
  signal: AbortSignal
  retry?: RetryOptions
  budget?: CallBudget | null
  /** Whether somebody can approve calls later. If not, calls that need it are refused. */
  canPause?: boolean
  /** Goes on where it paused, with what was decided about the calls it paused for. */
  resumed?: { pause: Pause; decisions: Decisions }
}

export interface AgentOutcome {
  finishReason: FinishReason
  modelId: string
  /** Set when it stopped to have calls approved. */
  paused?: Pause
}

const longestResult = 60_000
/** With another model to fall back on, a busy one is not waited for long. */
const maxWaitBeforeFallback = 5 * second

/**
 * Asks the model, does what it asks for, tells it what came of that, until it answers. After the last step that is
 * allowed the model gets no tools, so that it must answer with what it has. Throws what a provider or the signal threw.
 */
export async function runAgent(run: AgentRun, listener: AgentListener): Promise<AgentOutcome> {
  const { resumed } = run
  const messages = [...(resumed?.pause.messages ?? run.messages)]
  if (resumed) messages.push(...(await finishStep(run, resumed.pause, resumed.decisions, listener)))
  for (let step = (resumed?.pause.step ?? 0) + 1; ; step++) {
    const tools = step > run.maxSteps ? [] : run.tools
    const { completion, modelId } = await askModels(run, messages, tools, listener)
    if (completion.toolCalls.length === 0 || tools.length === 0) {
      return { finishReason: completion.finishReason, modelId }
    }
    const toolCalls = withUniqueIds(completion.toolCalls, messages)
    messages.push({ role: 'assistant', content: completion.text, toolCalls })
    const pending = run.canPause ? openCalls(toolCalls, tools) : []
    const ready = toolCalls.filter((call) => !pending.some(({ id }) => id === call.id))
    const results = await Promise.all(ready.map((call) => callTool(call, tools, run.signal, listener)))
    run.signal.throwIfAborted()
    const told = results.map(toldAs)
    if (pending.length > 0) {
      return { finishReason: 'tool_calls', modelId, paused: { step, messages, results: told, pending } }
    }
    messages.push(...told)
  }
}

/** Makes the calls that were approved, and answers with what came of all calls of the step in the model's order. */
async function finishStep(
  run: AgentRun,
  { messages, results, pending }: Pause,
  decisions: Decisions,
  listener: AgentListener,
): Promise<ToolResult[]> {
  const last = messages.at(-1)
  const calls = last?.role === 'assistant' ? (last.toolCalls ?? []) : []
  const waiting = calls.filter((call) => pending.some(({ id }) => id === call.id))
  const finished = await Promise.all(
    waiting.map((call) => callTool(call, run.tools, run.signal, listener, decisions.get(call.id) ?? false)),
  )
  run.signal.throwIfAborted()
  const all = [...results, ...finished.map(toldAs)]
  return calls.flatMap((call) => all.filter(({ toolCallId }) => toolCallId === call.id))
}

const toldAs = ({ id, name, output }: FinishedCall): ToolResult => ({
  role: 'tool',
  toolCallId: id,
  name,
  content: output.content,
})

interface Answer {
  completion: Completion
  modelId: string
}

/** The first model, or the next one when it fails before anything was shown. */
async function askModels(
  run: AgentRun,
  messages: ModelMessage[],
  tools: AgentTool[],
  listener: AgentListener,
): Promise<Answer> {
  let failure: unknown
  const specs = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  for (const [at, choice] of run.models.entries()) {
    const isLast = at === run.models.length - 1
    let shown = ''
    const account = (usage: TokenUsage | null) => {
      const call = { modelId: choice.id, usage: usage ?? estimate(messages, shown), estimated: usage === null }
      run.budget?.note(call)
      listener.onModelCall(call)
    }
    const planned = { modelId: choice.id, messages, tools: specs, maxTokens: run.maxTokens }
    const maxTokens = run.budget ? await run.budget.reserve(planned) : run.maxTokens
    try {
      const completion = await generateWithRetries(
        choice.model,
        {
          messages,
          tools: specs,
          temperature: run.temperature,
          maxTokens,
          signal: run.signal,
          onText(delta) {
            shown += delta
            listener.onText(delta)
          },
        },
        isLast ? run.retry : { maxWait: maxWaitBeforeFallback, ...run.retry },
      )
      account(completion.usage)
      return { completion, modelId: choice.id }
    } catch (error) {
      failure = error
      const reported = error instanceof ProviderError ? error.usage : null
      if (reported !== null || shown !== '' || run.signal.aborted) account(reported)
      if (shown !== '' || run.signal.aborted || !(error instanceof ProviderError)) throw error
    }
  }
  throw failure ?? new Error('An agent needs a model.')
}

async function callTool(
  call: ToolCall,
  tools: AgentTool[],
  signal: AbortSignal,
  listener: AgentListener,
  decision?: boolean,
): Promise<FinishedCall> {
  const tool = tools.find(({ name }) => name === call.name)
  const input = parsed(call.arguments)
  const started: StartedCall = {
    id: call.id,
    toolId: tool?.id ?? null,
    name: call.name,
    input: input ?? call.arguments,
  }
  const since = performance.now()
  const finish = (status: FinishedCall['status'], output: ToolOutput): FinishedCall => {
    const numbered = withNumbers(output, (listener.cited?.() ?? 0) + 1)
    const finished = { ...started, status, output: bounded(numbered), latency: Math.round(performance.now() - since) }
    listener.onToolFinished(finished)
    return finished
  }
  if (decision === false) return finish('refused', { content: refusedByPerson })
  listener.onToolStarted(started)
  if (!tool)
    return finish('failed', {
      content: `There is no tool "${call.name}". There are: ${tools.map(({ name }) => name).join(', ')}.`,
    })
  if (input === undefined) return finish('failed', { content: 'The arguments are not valid JSON. Write them again.' })
  if (tool.requiresApproval && !decision) return finish('refused', { content: refusedByPlace })
  try {
    return finish('completed', await tool.run(input, signal))
  } catch (error) {
    return finish('failed', { content: `The tool failed: ${reason(error)}` })
  }
}

/** Citations are counted through the whole turn, and the model must know by which number to cite. */
const withNumbers = (output: ToolOutput, first: number): ToolOutput =>
  output.numberedFrom && first > 1 ? { ...output, content: output.numberedFrom(first) } : output

const bounded = (output: ToolOutput): ToolOutput =>
  output.content.length <= longestResult
    ? output
    : {
        ...output,
        content: `${output.content.slice(0, longestResult)}\n[The rest was cut off: the result was too long.]`,
      }

const charactersPerToken = 4

function estimate(messages: ModelMessage[], shown: string): TokenUsage {
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0)
  return {
    input: Math.ceil(characters / charactersPerToken),
    cachedInput: 0,
    output: Math.ceil(shown.length / charactersPerToken),
    reasoning: 0,
  }
}
