import type { CallBudget, ModelCall, PlannedCall } from '../../kernel/agent/loop.ts'
import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { roughUsage } from '../../kernel/llm/estimate-usage.ts'
import { Conflict, type Statement } from '../../kernel/store/commits.ts'
import type { Budget } from './budget.ts'
import { bill, type Charge, type Payer, type Purpose } from './ledger.ts'
import { deleteCall, insertCall, type OpenCall, updateCall } from './open-calls.ts'

type CalledModel = Pick<Charge, 'kind' | 'provider' | 'model' | 'price'>

interface MeteredCall extends OpenCall {
  /** Calls of the built-in models are not stored, because no provider charges for them. */
  isStored: boolean
  /** Whether it has ended and costs something. */
  isCharged: boolean
}

/**
 * Model calls outside of turns, with one reservation and one bill. Each call is stored before it is made, together with
 * its reservation, so that another process bills it by an estimate if this one ends. The bill deletes what was stored.
 */
export class MeteredCalls implements CallBudget {
  readonly #ctx: Context
  readonly #who: Payer
  readonly #purpose: Purpose
  readonly #holder: string
  readonly #budget: Budget | null
  readonly #modelOf: (modelId: string) => CalledModel
  readonly #calls: MeteredCall[] = []
  /** Committed with the first call. */
  #alongside: Statement[]

  constructor(
    ctx: Context,
    who: Payer,
    purpose: Purpose,
    given: { holder: string; budget: Budget | null; modelOf(modelId: string): CalledModel; alongside?: Statement[] },
  ) {
    this.#ctx = ctx
    this.#who = who
    this.#purpose = purpose
    this.#holder = given.holder
    this.#budget = given.budget
    this.#modelOf = given.modelOf
    this.#alongside = given.alongside ?? []
  }

  async reserve(planned: PlannedCall): Promise<number | null> {
    const ctx = this.#ctx
    const last = this.#calls.at(-1)
    const model = this.#modelOf(planned.modelId)
    const charge = { ...model, modelId: planned.modelId, usage: roughUsage(planned), estimated: true }
    const isStored = model.provider !== 'local' && ctx.state.usage.storesOpenCalls
    const call = { id: ctx.newId('use'), workspace: this.#who.workspace, charge, isStored, isCharged: false }
    this.#calls.push(call)
    const statements = [
      ...this.#alongside,
      ...(last?.isStored ? [last.isCharged ? updateCall(ctx, last) : deleteCall(ctx, last)] : []),
      ...(isStored ? [insertCall(ctx, call, this.#who, this.#purpose, this.#holder)] : []),
    ]
    try {
      const maxTokens = this.#budget ? await this.#budget.reserve(planned, statements) : planned.maxTokens
      if (!this.#budget && statements.length > 0) await ctx.commits.commit(statements)
      this.#alongside = []
      return maxTokens
    } catch (error) {
      if (error instanceof Problem) this.#calls.pop() // refused, so nothing was stored
      throw error
    }
  }

  note({ modelId, usage, estimated }: ModelCall): void {
    this.#budget?.note({ modelId, usage })
    const call = this.#calls.at(-1)
    if (call) Object.assign(call, { charge: { ...call.charge, usage, estimated }, isCharged: true })
  }

  /** Stores the bill. If the database is away, it is stored later. */
  async close(): Promise<void> {
    if (this.#calls.length === 0) return
    try {
      await this.#bill()
    } catch (error) {
      // What was not stored before could be billed twice.
      if (!this.#calls.every(({ isStored }) => isStored)) {
        this.#budget?.closed()
        throw error
      }
      this.#ctx.log.warn({ err: error }, 'model calls will be billed later')
      this.#ctx.state.usage.unsent.add(() => this.#bill())
    }
  }

  async #bill(): Promise<void> {
    const charged = this.#calls.filter(({ isCharged }) => isCharged)
    const charges = charged.map(({ charge }) => charge)
    const { statements, sent } = await bill(this.#ctx, this.#who, this.#purpose, charges, this.#budget)
    const all = [...this.#calls.flatMap((call) => this.#deletion(call)), ...statements]
    try {
      if (all.length > 0) await this.#ctx.commits.commit(all)
      sent()
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      await this.#billRest(charged)
    }
  }

  #deletion = (call: MeteredCall): Statement[] =>
    call.isStored ? [deleteCall(this.#ctx, call, call.isCharged ? 1 : undefined)] : []

  /** Another process took this one for dead and has billed some of the calls, or an earlier attempt has succeeded. */
  async #billRest(charged: MeteredCall[]): Promise<void> {
    for (const call of charged) {
      const { statements, sent } = await bill(this.#ctx, this.#who, this.#purpose, [call.charge])
      try {
        await this.#ctx.commits.commit([...this.#deletion(call), ...statements])
        sent()
      } catch (error) {
        if (!(error instanceof Conflict)) throw error
      }
    }
    await this.#budget?.release()
  }
}

/** Stores the bills that could not be stored while the database was away. */
export async function sendUnsent(ctx: Context): Promise<void> {
  const { unsent } = ctx.state.usage
  for (const send of [...unsent]) {
    await send()
    unsent.delete(send)
  }
}
