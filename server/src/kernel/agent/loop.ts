import { reason } from '../errors.ts'
import type { Completion, FinishReason, LanguageModel, ModelMessage, TokenUsage, ToolCall } from '../llm/model.ts'
import { ProviderError } from '../llm/model.ts'
import { generateWithRetries, type RetryOptions } from '../llm/retry.ts'
import type { AgentTool, ToolOutput } from './tools.ts'

/** A model that may be used, and how the rest of the house knows it. */
export interface ModelChoice {
  id: string
  model: LanguageModel
}

export interface StartedCall {
  id: string
  toolId: string | null
  name: string
  /** As JSON where the model wrote JSON, else its own text. */
  input: unknown
}

export interface FinishedCall extends StartedCall {
  status: 'completed' | 'failed'
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
}

export interface AgentOutcome {
  finishReason: FinishReason
  modelId: string
}

const longestResult = 60_000

/**
 * Asks the model, does what it asks for, tells it what came of that, until it answers. After the last step that is
 * allowed the model gets no tools, so that it must answer with what it has. Throws what a provider or the signal threw.
 */
export async function runAgent(run: AgentRun, listener: AgentListener): Promise<AgentOutcome> {
  const messages = [...run.messages]
  for (let step = 1; ; step++) {
    const tools = step > run.maxSteps ? [] : run.tools
    const { completion, modelId } = await askModels(run, messages, tools, listener)
    if (completion.toolCalls.length === 0 || tools.length === 0) {
      return { finishReason: completion.finishReason, modelId }
    }
    messages.push({ role: 'assistant', content: completion.text, toolCalls: completion.toolCalls })
    const finished = await Promise.all(completion.toolCalls.map((call) => callTool(call, tools, run.signal, listener)))
    run.signal.throwIfAborted()
    for (const call of finished) {
      messages.push({ role: 'tool', toolCallId: call.id, name: call.name, content: call.output.content })
    }
  }
}

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
  let failure: unknown = new Error('An agent needs a model.')
  for (const choice of run.models) {
    let shown = ''
    const account = (usage: TokenUsage | null) =>
      listener.onModelCall({ modelId: choice.id, usage: usage ?? estimate(messages, shown), estimated: usage === null })
    try {
      const completion = await generateWithRetries(
        choice.model,
        {
          messages,
          tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
          temperature: run.temperature,
          maxTokens: run.maxTokens,
          signal: run.signal,
          onText(delta) {
            shown += delta
            listener.onText(delta)
          },
        },
        run.retry,
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
  throw failure
}

async function callTool(
  call: ToolCall,
  tools: AgentTool[],
  signal: AbortSignal,
  listener: AgentListener,
): Promise<FinishedCall> {
  const tool = tools.find(({ name }) => name === call.name)
  const input = parsed(call.arguments)
  const started: StartedCall = {
    id: call.id,
    toolId: tool?.id ?? null,
    name: call.name,
    input: input ?? call.arguments,
  }
  listener.onToolStarted(started)
  const since = performance.now()
  const finish = (status: FinishedCall['status'], output: ToolOutput): FinishedCall => {
    const numbered = withNumbers(output, (listener.cited?.() ?? 0) + 1)
    const finished = { ...started, status, output: bounded(numbered), latency: Math.round(performance.now() - since) }
    listener.onToolFinished(finished)
    return finished
  }
  if (!tool)
    return finish('failed', {
      content: `There is no tool "${call.name}". There are: ${tools.map(({ name }) => name).join(', ')}.`,
    })
  if (input === undefined) return finish('failed', { content: 'The arguments are not valid JSON. Write them again.' })
  try {
    return finish('completed', await tool.run(input, signal))
  } catch (error) {
    return finish('failed', { content: `The tool failed: ${reason(error)}` })
  }
}

/** Citations are counted through the whole turn, and the model must know by which number to cite. */
const withNumbers = (output: ToolOutput, first: number): ToolOutput =>
  output.numberedFrom && first > 1 ? { ...output, content: output.numberedFrom(first) } : output

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

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
