import type { TokenCounter } from '@parley/documents'
import { estimateUsage } from '../llm/estimate-usage.ts'
import { withImages } from '../llm/input-parts.ts'
import {
  type Completion,
  type ImageData,
  type ImagePart,
  type LanguageModel,
  type ModelMessage,
  ProviderError,
  type Sampling,
  type TokenUsage,
  type ToolSpec,
} from '../llm/model.ts'
import { generateWithRetries, type RetryOptions, whileCallerWaits } from '../llm/retry.ts'
import { second } from '../time.ts'
import type { Offer } from './offer.ts'
import { type RunningStep, type Steps, serverFacts, stepFailure } from './steps.ts'
import type { RequiredOutput } from './structured.ts'
import { fitWindow } from './window.ts'

/** A model that may be used, with the id of its resource. */
export interface ModelChoice {
  id: string
  provider: string
  /** The provider's name of the model. */
  name: string
  /** In tokens. Null if unknown. */
  contextWindow: number | null
  model: LanguageModel
  seesImages?: boolean
  /** The address of its server; null if it is built in. */
  endpoint: string | null
}

/** One request to a model, for the ledger. */
export interface ModelCall {
  modelId: string
  usage: TokenUsage
  /** The provider did not report usage; it was estimated. */
  estimated: boolean
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

/** Settings of all model calls of a run. */
export interface GenerationOptions {
  /** The preferred model, then its fallbacks. */
  models: ModelChoice[]
  /** Reads an image; null if it is gone. */
  loadImage?(image: ImagePart): Promise<ImageData | null>
  temperature: number | null
  maxTokens: number | null
  sampling?: Sampling
  /** The required format of the reply. By default it is text. */
  output?: RequiredOutput | null
  signal: AbortSignal
  /** Estimates the usage that a provider does not report. */
  tokens: Pick<TokenCounter, 'count'>
  retry?: RetryOptions
  /** Nobody waits for the answer, so a provider that limits requests is waited for. */
  isUnattended?: boolean
  budget?: CallBudget | null
  /** Records the steps of the run. Steps that the signal stops stay open. */
  steps: Steps
  /** In nano-dollars, for the steps. Null if the price is not known. */
  computeCost(call: Pick<ModelCall, 'modelId' | 'usage'>): number | null
}

export interface GenerationListener {
  onText(delta: string): void
  onReasoning?(delta: string): void
  onModelCall(call: ModelCall): void
}

/** A busy model is not waited for long if there is another one to fall back on. */
const maxWaitBeforeFallback = 5 * second

export interface Generation {
  completion: Completion
  modelId: string
  /** Pieces of text that are held back until the JSON is validated. */
  held: string[]
}

/** Generates with the first model; if it fails before any text was shown, with the next. */
export async function generateWithFallback(
  run: GenerationOptions,
  history: ModelMessage[],
  { specs, toolChoice }: Offer,
  listener: GenerationListener,
  omitted = 0,
): Promise<Generation> {
  let failure: unknown
  for (const [index, choice] of run.models.entries()) {
    const isLast = index === run.models.length - 1
    const messages = await fitWindow(run.tokens, history, specs, windowFor(run, choice))
    let shown = ''
    const held: string[] = []
    let attempts = 1
    let isAsked = false
    const recordUsage = async (step: RunningStep, reported: TokenUsage | null) => {
      const usage = reported ?? (await estimateUsage(run.tokens, { messages, tools: specs }, shown))
      const call = { modelId: choice.id, usage, estimated: reported === null }
      run.budget?.note(call)
      step.note({ usage, ...(call.estimated && { estimated: true }), cost: run.computeCost(call) })
      listener.onModelCall(call)
    }
    const planned = { modelId: choice.id, messages, tools: specs, maxTokens: run.maxTokens }
    const maxTokens = run.budget ? await run.budget.reserve(planned) : run.maxTokens
    const step = run.steps.start('model', { name: choice.name, provider: choice.provider, modelId: choice.id })
    step.remote(() => serverFacts(choice.endpoint))
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
      const { model } = completion
      if (model !== undefined) step.remote(() => ({ responseModel: model }))
      step.content(() => ({ input: messages, output: completion }))
      step.end({ finishReason: completion.finishReason })
      return { completion, modelId: choice.id, held }
    } catch (error) {
      failure = error
      const reported = error instanceof ProviderError ? error.usage : null
      const isStopped = run.signal.aborted && isAsked // waiting for the next attempt costs nothing
      if (reported !== null || shown !== '' || isStopped) await recordUsage(step, reported)
      if (!run.signal.aborted) step.end(stepFailure(error))
      for (const piece of held) listener.onText(piece)
      if (shown !== '' || run.signal.aborted || !(error instanceof ProviderError)) throw error
    }
  }
  throw failure ?? new Error('An agent needs a model.')
}

export const windowFor = ({ maxTokens }: GenerationOptions, { contextWindow }: ModelChoice) => ({
  contextWindow,
  maxTokens,
})
