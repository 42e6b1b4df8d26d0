import type { PlannedCall } from '../../kernel/agent/generate.ts'
import { type StepFacts, serverFacts, stepFailure } from '../../kernel/agent/steps.ts'
import type { Context } from '../../kernel/context.ts'
import { estimateUsage, inputUsage } from '../../kernel/llm/estimate-usage.ts'
import { type ModelMessage, ProviderError, type TokenUsage } from '../../kernel/llm/model.ts'
import { generateWithRetries, type RetryOptions } from '../../kernel/llm/retry.ts'
import { type Budget, openBudget } from '../usage/budget.ts'
import { knownCost, type Price } from '../usage/cost.ts'
import { type Bill, bill, type Charge, type Payer, type Purpose } from '../usage/ledger.ts'
import { Meter } from '../usage/meter.ts'
import { connect, contextWindow, effectiveEndpoint, type ModelRow, models } from './service.ts'

/** The budget for calls of these models, or null if no threshold blocks them. */
export const budgetFor = (
  ctx: Context,
  who: Payer,
  purpose: Purpose,
  holder: string,
  prices: Map<string, Price | null>,
): Promise<Budget | null> =>
  openBudget(ctx, who, purpose, holder, [...prices.keys()], () =>
    Promise.all(
      [...prices].map(async ([id, pricing]) => {
        const model = await models.find(ctx.db, who, id)
        return { id, name: model?.model_id ?? id, pricing, context_window: model ? contextWindow(model) : null }
      }),
    ),
  )

interface Outcome<T> {
  result: T
  /** Null if the provider did not report it. */
  usage: TokenUsage | null
}

/** A call of a model outside of a turn. */
type ChargedCall = Omit<PlannedCall, 'modelId'> & { kind: Charge['kind']; signal: AbortSignal }

/**
 * One call of a model, checked against the budgets and billed. `work` gets the token limit of the reply and passes on its
 * text. A call that is aborted is billed as well, because the provider charges for it.
 */
export async function chargedCall<T>(
  ctx: Context,
  who: Payer,
  purpose: Purpose,
  model: ModelRow,
  call: ChargedCall,
  work: (maxTokens: number | null, onText: (delta: string) => void) => Promise<Outcome<T>>,
): Promise<{ result: T; usage: TokenUsage }> {
  const { kind, signal } = call
  signal.throwIfAborted()
  const holder = ctx.newId('use')
  const budget = await budgetFor(ctx, who, purpose, holder, new Map([[model.id, model.pricing]]))
  const { provider, model_id, pricing: price } = model
  const called = { kind, provider, model: model_id, price }
  const meter = new Meter(ctx, who, purpose, { holder, budget, findModel: () => called })
  try {
    const maxTokens = await meter.reserve({ ...call, modelId: model.id })
    signal.throwIfAborted()
    return await charged(ctx, meter, purpose, model, call, (onText) => work(maxTokens, onText))
  } finally {
    await meter.close()
  }
}

async function charged<T>(
  ctx: Context,
  meter: Meter,
  purpose: Purpose,
  model: ModelRow,
  call: ChargedCall,
  work: (onText: (delta: string) => void) => Promise<Outcome<T>>,
): Promise<{ result: T; usage: TokenUsage }> {
  const { kind, signal } = call
  const step = purpose.step?.part(kind === 'chat' ? 'model' : kind, modelFacts(model))
  step?.remote(() => serverFacts(effectiveEndpoint(model)))
  let text = ''
  const charge = async (reported: TokenUsage | null): Promise<TokenUsage> => {
    const usage = reported ?? (await estimateUsage(ctx.tokens, call, text))
    meter.note({ modelId: model.id, usage, estimated: reported === null })
    step?.note({ usage, ...(reported === null && { estimated: true }), cost: knownCost(usage, model.pricing) })
    return usage
  }
  try {
    const outcome = await work((delta) => {
      text += delta
    })
    const usage = await charge(outcome.usage)
    step?.end()
    return { result: outcome.result, usage }
  } catch (error) {
    const reported = error instanceof ProviderError ? error.usage : null
    const isRefused = error instanceof ProviderError && error.retryable
    if (reported !== null || text !== '' || (signal.aborted && !isRefused)) await charge(reported)
    if (!signal.aborted) step?.end(stepFailure(error))
    throw error
  }
}

interface ChatRequest {
  messages: ModelMessage[]
  temperature: number | null
  signal: AbortSignal
  retry?: RetryOptions
  onText?(delta: string): void
}

/** One reply of a chat model, without tools, checked against the budgets and billed. */
export async function chargedReply(
  ctx: Context,
  who: Payer,
  purpose: Purpose,
  model: ModelRow,
  { messages, temperature, signal, retry = {}, onText: show = () => {} }: ChatRequest,
): Promise<string> {
  const planned = { kind: 'chat' as const, messages, tools: [], maxTokens: null, signal }
  const { result } = await chargedCall(ctx, who, purpose, model, planned, async (maxTokens, count) => {
    const onText = (delta: string) => {
      count(delta)
      show(delta)
    }
    let refusal: ProviderError | null = null
    try {
      const { text, usage } = await generateWithRetries(
        connect(ctx, who.workspace, model),
        { messages, tools: [], temperature, maxTokens, signal, onText },
        {
          ...retry,
          random: ctx.random,
          onAttempt() {
            refusal = null
          },
          onRetry(error) {
            refusal = error
          },
        },
      )
      return { result: text, usage }
    } catch (error) {
      throw refusal ?? error // a refused attempt costs nothing, even if the reader left before the next one
    }
  })
  return result
}

/** Describes the called model in a step of the trace. */
export const modelFacts = ({ id, provider, model_id }: Pick<ModelRow, 'id' | 'provider' | 'model_id'>): StepFacts => ({
  name: model_id,
  provider,
  modelId: id,
})

/** The statements that bill calls of built-in models, which need no budget because they cost nothing. */
export async function billBuiltIn(
  ctx: Context,
  who: Payer,
  purpose: Purpose,
  {
    id: modelId,
    provider,
    model_id: model,
    pricing: price,
  }: Pick<ModelRow, 'id' | 'provider' | 'model_id' | 'pricing'>,
  tokens: number,
): Promise<Bill> {
  const usage = inputUsage(tokens)
  return bill(ctx, who, purpose, [{ kind: 'embedding', modelId, provider, model, usage, estimated: true, price }])
}
