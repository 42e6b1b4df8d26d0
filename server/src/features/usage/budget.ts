import type { CallBudget, PlannedCall } from '../../kernel/agent/generate.ts'
import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { TokenUsage } from '../../kernel/llm/model.ts'
import { Conflict, type Statement } from '../../kernel/store/commits.ts'
import { defaultReply, maxInputTokens, minReply } from './bounds.ts'
import { computeCost, type Price } from './cost.ts'
import type { Payer, Purpose } from './ledger.ts'
import { applies, type Threshold, thresholdsFor } from './threshold.ts'
import { needsPrices } from './unpriced.ts'
import {
  addToWindow,
  inUnits,
  lockWindow,
  publishExceeded,
  readWindows,
  releaseStatements,
  reserve,
} from './window-store.ts'
import { resetsAt, windowStart } from './windows.ts'

export interface PricedModel {
  id: string
  /** The provider's name of it. */
  name: string
  pricing: Price | null
  context_window: number | null
}

interface Amount {
  modelId: string
  usage: TokenUsage
}

const maxUnits = Number.MAX_SAFE_INTEGER

/**
 * The blocking thresholds of a turn. Before each call its maximum cost is reserved; before the next call the reservation
 * is corrected to the actual cost. The bill releases the reservation and adds the cost in one transaction, so that
 * concurrent calls cannot overspend.
 */
export class Budget implements CallBudget {
  /** The key of the reservations, which end with the bill or with the process. */
  readonly holder: string
  /** The start, which determines the window. */
  at = 0
  private readonly ctx: Context
  private readonly who: Payer
  private readonly purpose: Purpose
  private readonly thresholds: Threshold[]
  private readonly models: PricedModel[]
  private readonly used: Amount[] = []
  private readonly held = new Map<string, number>()
  private bound: { input: number; output: number } | null = null

  constructor(
    ctx: Context,
    who: Payer,
    purpose: Purpose,
    holder: string,
    thresholds: Threshold[],
    models: PricedModel[],
  ) {
    this.ctx = ctx
    this.who = who
    this.purpose = purpose
    this.holder = holder
    this.thresholds = thresholds
    this.models = models
  }

  /** `alongside` is committed in the same transaction. */
  async reserve(call: PlannedCall, alongside: Statement[] = []): Promise<number | null> {
    const model = this.models.find(({ id }) => id === call.modelId)
    const concerned = this.thresholds.filter((threshold) => this.concerns(threshold, call.modelId))
    if (!model || concerned.length === 0) {
      if (alongside.length > 0) await this.ctx.commits.commit(alongside)
      return call.maxTokens
    }
    const refusing = model.pricing === null ? concerned.find(needsPrices) : undefined
    if (refusing) throw priceUnknown(model, refusing)
    this.at ||= this.ctx.now()
    const bound = maxInputTokens(call)
    const input = Math.ceil(bound * strictness(this.ctx, model.id).input)
    const wanted = call.maxTokens ?? Math.min(model.context_window ?? defaultReply, defaultReply)
    this.bound = { input: bound, output: wanted }
    const take = (output: number) => this.take(model, input, output, alongside)
    if ((await take(wanted)) || ((await this.createWindows()) && (await take(wanted)))) return wanted
    const short = await this.tooShort(model, concerned, input, wanted)
    const canConflict = alongside.some(({ changes }) => changes !== undefined)
    if (canConflict && short.affordable >= wanted) throw new Conflict('A row was changed by another transaction.')
    // The default length may be shortened to what is affordable.
    if (call.maxTokens === null && short.affordable >= minReply) {
      if (await take(short.affordable)) return short.affordable
    }
    if (!short.isPublished) await publishExceeded(this.ctx, short.threshold, this.at, 'call_blocked')
    throw exceeded(short.threshold, this.at)
  }

  note({ modelId, usage }: Amount): void {
    this.used.push({ modelId, usage })
    if (this.bound) raiseStrictness(this.ctx, modelId, usage, this.bound)
  }

  /** Releases all reservations when no call was made. */
  async release(): Promise<void> {
    const held = this.thresholds.filter(({ id }) => this.held.has(id))
    const windows = held.map(({ id, window }) => lockWindow(this.ctx, id, windowStart(window, this.at)))
    try {
      if (held.length > 0) await this.ctx.commits.commit([...windows, ...releaseStatements(this.ctx, this.holder)])
    } finally {
      this.closed() // a job releases reservations without a heartbeat
    }
  }

  /** Stops the heartbeat of the reservations. */
  closed(): void {
    this.ctx.state.usage.holders.delete(this.holder)
  }

  private concerns = (threshold: Threshold, modelId: string): boolean =>
    applies(threshold, this.who, this.purpose, modelId)

  private async take(model: PricedModel, input: number, output: number, alongside: Statement[]): Promise<boolean> {
    const planned = {
      modelId: model.id,
      usage: plainUsage(input, Math.ceil(output * strictness(this.ctx, model.id).output)),
    }
    const wanted = this.thresholds.map((threshold) => [threshold, this.wanted(threshold, planned)] as const)
    const reservations = wanted.flatMap(([threshold, amount]) => {
      const more = amount - (this.held.get(threshold.id) ?? 0)
      return more === 0 ? [] : reserve(this.ctx, threshold, this.at, this.holder, more)
    })
    const statements = [...alongside, ...reservations]
    if (statements.length === 0) return true
    this.ctx.state.usage.holders.add(this.holder)
    try {
      await this.ctx.commits.commit(statements)
    } catch (error) {
      if (this.held.size === 0) this.closed()
      if (error instanceof Conflict) return false
      throw error
    }
    for (const [threshold, amount] of wanted) this.held.set(threshold.id, amount)
    return true
  }

  /** Returns whether a window did not exist yet. */
  private async createWindows(): Promise<boolean> {
    const existing = await readWindows(this.ctx, this.thresholds, this.at)
    const missing = this.thresholds.filter(({ id }) => !existing.has(id))
    if (missing.length === 0) return false
    await this.ctx.commits.commit(missing.map((threshold) => addToWindow(this.ctx, threshold, this.at, 0)))
    return true
  }

  /** The reservation needed: the cost of the calls so far plus the maximum of the next one. */
  private wanted(threshold: Threshold, planned: Amount): number {
    const relevant = [...this.used, planned].filter(({ modelId }) => this.concerns(threshold, modelId))
    return Math.min(
      maxUnits,
      relevant.reduce((sum, amount) => sum + this.toUnits(threshold, amount), 0),
    )
  }

  private toUnits(threshold: Threshold, { modelId, usage }: Amount): number {
    if (threshold.metric === 'tokens') return usage.input + usage.output
    return computeCost(usage, highestPrice(this.models.find(({ id }) => id === modelId)?.pricing ?? null))
  }

  /** The threshold with the least left, and the reply length it can afford. */
  private async tooShort(model: PricedModel, concerned: Threshold[], input: number, wanted: number) {
    const windows = await readWindows(this.ctx, concerned, this.at)
    let affordable = wanted
    let scarcest = concerned[0] as Threshold
    let isPublished = false
    for (const threshold of concerned) {
      const { spent = 0, reserved = 0, exceeded_at = null } = windows.get(threshold.id) ?? {}
      const without = this.wanted(threshold, { modelId: model.id, usage: plainUsage(input, 0) })
      const left = threshold.limit_units - spent - reserved + (this.held.get(threshold.id) ?? 0) - without
      const each = this.toUnits(threshold, { modelId: model.id, usage: plainUsage(0, 1000) }) / 1000
      const tokens =
        left < 0 ? -1 : each === 0 ? wanted : Math.floor(left / each / strictness(this.ctx, model.id).output)
      if (tokens >= affordable && threshold !== scarcest) continue
      affordable = Math.min(affordable, tokens)
      scarcest = threshold
      isPublished = exceeded_at !== null
    }
    return { threshold: scarcest, affordable, isPublished }
  }
}

const plainUsage = (input: number, output: number): TokenUsage => ({ input, cachedInput: 0, output, reasoning: 0 })

const highestPrice = (price: Price | null): Price | null =>
  price && { ...price, input: Math.max(price.input ?? 0, price.cached_input ?? 0, price.cache_write ?? 0) }

const strictest = 100
const strictness = (ctx: Context, modelId: string) => ctx.state.usage.strictness.get(modelId) ?? { input: 1, output: 1 }

function raiseStrictness(
  ctx: Context,
  modelId: string,
  usage: TokenUsage,
  bound: { input: number; output: number },
): void {
  const known = strictness(ctx, modelId)
  if (usage.input <= bound.input * known.input && usage.output <= bound.output * known.output) return
  ctx.state.usage.strictness.set(modelId, {
    input: Math.min(strictest, Math.max(known.input, usage.input / bound.input)),
    output: Math.min(strictest, Math.max(known.output, usage.output / bound.output)),
  })
}

function describeThreshold(threshold: Threshold): string {
  const { id, name, entity_type, entity_id, metric, window } = threshold
  const limit = inUnits(threshold, threshold.limit_units)
  const amount = metric === 'cost' ? `$${limit}` : `${limit} tokens`
  const whose = entity_type === 'workspace' ? 'the workspace' : `the ${entity_type} "${entity_id}"`
  const period = window === 'total' ? 'in total' : `a ${window}`
  return `"${name}" (${id}: ${amount} ${period} for ${whose})`
}

function priceUnknown({ id, name }: PricedModel, threshold: Threshold): Problem {
  return new Problem(
    'price_unknown',
    `The model "${name}" (${id}) has no price, so the usage threshold ${describeThreshold(threshold)} cannot limit this call. Set the price of the model; if it is free, set it to 0.`,
    {
      details: [
        { path: 'model_id', message: id },
        { path: 'threshold_id', message: threshold.id },
      ],
    },
  )
}

function exceeded(threshold: Threshold, at: number): Problem {
  const reset = resetsAt(threshold.window, at)
  const until =
    reset === null ? 'It does not reset: raise the limit to go on.' : `It resets at ${reset}; or raise the limit.`
  return new Problem(
    'budget_exceeded',
    `The usage threshold ${describeThreshold(threshold)} has too little left for this call. ${until}`,
    { details: [{ path: 'threshold_id', message: threshold.id }] },
  )
}

/** Null if no blocking threshold applies. */
export async function openBudget(
  ctx: Context,
  who: Payer,
  purpose: Purpose,
  holder: string,
  modelIds: string[],
  models: () => Promise<PricedModel[]>,
): Promise<Budget | null> {
  const all = await thresholdsFor(ctx, who, purpose)
  const blocking = all.filter(
    (threshold) => threshold.action === 'block' && modelIds.some((id) => applies(threshold, who, purpose, id)),
  )
  return blocking.length === 0 ? null : new Budget(ctx, who, purpose, holder, blocking, await models())
}
