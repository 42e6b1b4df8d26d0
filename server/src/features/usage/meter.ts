import type { CallBudget, ModelCall, PlannedCall } from '../../kernel/agent/loop.ts'
import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { roughUsage } from '../../kernel/llm/estimate-usage.ts'
import { Conflict, type Statement } from '../../kernel/store/commits.ts'
import type { Budget } from './budget.ts'
import {
  type CallsUnderWay,
  deleteCalls,
  type Holder,
  insertCalls,
  type Keeper,
  updateCalls,
} from './calls-under-way.ts'
import { type Bill, bill, type Charge, type Payer, type Purpose, storeBill } from './ledger.ts'

type CalledModel = Pick<Charge, 'kind' | 'provider' | 'model' | 'price'>

interface MeterOptions {
  /** The key of the reservations and of the stored calls. */
  holder: string
  budget: Budget | null
  findModel(modelId: string): CalledModel
  /** Committed before the first call. */
  alongside?: Statement[]
  /** Left out: the meter stores each call before it is made. */
  keeper?: CallKeeper
}

/** Keeps the calls with what they are for. */
interface CallKeeper {
  name: Keeper
  /** Whether it can tell what the first call was, so that this need not be stored. */
  knowsFirst: boolean
  /** Stores the `changes` of the meter. */
  store(): Promise<void>
}

/**
 * Meters the model calls of one run: reserves their cost, keeps them stored while they are under way, so that another process
 * bills them if this one ends, and bills them.
 */
export class Meter implements CallBudget {
  readonly charges: Charge[] = []
  readonly #ctx: Context
  readonly #who: Payer
  readonly #purpose: Purpose
  readonly #options: MeterOptions
  readonly #holder: Holder
  #alongside: Statement[]
  #open: Charge | null = null
  #ahead: { modelId: string; maxTokens: number | null } | null = null
  /** The calls as they were last stored, null if they were not. */
  #stored: CallsUnderWay | null = null
  /** Whether the keeper knows the next call. */
  #isKnown: boolean
  /** How many of the calls another process has billed, which took this one for dead. */
  #billedElsewhere = 0

  constructor(ctx: Context, who: Payer, purpose: Purpose, options: MeterOptions) {
    this.#ctx = ctx
    this.#who = who
    this.#purpose = purpose
    this.#options = options
    this.#holder = { holder: options.holder, workspace: who.workspace }
    this.#alongside = options.alongside ?? []
    this.#isKnown = options.keeper?.knowsFirst ?? false
  }

  /** Reserves the first call of a run before anything of the run is stored, so that a refusal leaves no trace. */
  async reserveAhead(call: PlannedCall): Promise<void> {
    this.#ahead = { modelId: call.modelId, maxTokens: await this.reserve(call) }
  }

  async reserve(planned: PlannedCall): Promise<number | null> {
    const ahead = this.#ahead
    this.#ahead = null
    if (ahead?.modelId === planned.modelId) return ahead.maxTokens
    const { keeper } = this.#options
    const isKnown = this.#isKnown
    this.#isKnown = false
    if (!isKnown) this.#start(planned)
    try {
      const maxTokens = await this.#reserveAndStore(planned)
      this.#alongside = []
      if (keeper && !isKnown) await keeper.store()
      return maxTokens
    } catch (error) {
      if (error instanceof Problem) this.#open = null // refused, so the call is not made
      throw error
    }
  }

  #start(planned: PlannedCall): void {
    const { modelId } = planned
    this.#open = { ...this.#options.findModel(modelId), modelId, usage: roughUsage(planned), estimated: true }
  }

  async #reserveAndStore(planned: PlannedCall): Promise<number | null> {
    const { keeper, budget } = this.#options
    const before = this.#stored
    const statements = [...this.#alongside, ...(keeper ? [] : this.changes())]
    try {
      if (budget) return await budget.reserve(planned, statements)
      if (statements.length > 0) await this.#ctx.commits.commit(statements)
      return planned.maxTokens
    } catch (error) {
      if (!keeper) this.unsaved(before)
      if (!(error instanceof Conflict) || before === null || keeper) throw error
      this.#leaveToOthers()
      return this.#reserveAndStore(planned)
    }
  }

  note({ modelId, usage, estimated }: ModelCall): void {
    this.#options.budget?.note({ modelId, usage })
    this.charges.push({ ...this.#options.findModel(modelId), modelId, usage, estimated })
    this.#open = null
  }

  /** The calls as they were last stored. */
  get stored(): CallsUnderWay | null {
    return this.#stored
  }

  /** The statements that store the calls if they have changed. If these are not committed, call `unsaved`. */
  changes(): Statement[] {
    const calls: CallsUnderWay = { finished: this.charges.slice(this.#billedElsewhere), open: this.#open }
    const isNew = this.#stored === null
    const { finished, open } = this.#stored ?? { finished: [], open: null }
    const hasChanged = calls.finished.length !== finished.length || calls.open !== open
    if (!hasChanged || !this.#isWorthStoring()) return []
    this.#stored = calls
    const keeper = this.#options.keeper?.name ?? 'ledger'
    return [
      isNew
        ? insertCalls(this.#ctx, this.#holder, this.#who, this.#purpose, keeper, calls)
        : updateCalls(this.#ctx, this.#holder, calls),
    ]
  }

  /** Nothing has been stored since `before`. */
  unsaved(before: CallsUnderWay | null): void {
    this.#stored = before
  }

  /** No provider charges for the built-in models, and a case of an evaluation runs again. */
  #isWorthStoring = (): boolean =>
    this.#who.tab === undefined && [...this.charges, ...(this.#open ? [this.#open] : [])].some(isPaid)

  /** The bill of all calls, which releases their reservation. Calls that are repeated by another run can be `free`. */
  async bill({ isFree = false } = {}): Promise<Bill> {
    const charges = isFree ? [] : this.charges.slice(this.#billedElsewhere)
    const { statements, ...rest } = await bill(this.#ctx, this.#who, this.#purpose, charges, this.#options.budget)
    const deletion = this.#stored ? [deleteCalls(this.#ctx, this.#holder, 1)] : []
    return { ...rest, statements: [...deletion, ...statements] }
  }

  /** Stores the bill, and in the same transaction `alongside`. If the database is away, they are stored later. */
  async close(alongside: Statement[] = []): Promise<void> {
    if (this.#open === null && this.charges.length === 0) return
    try {
      await this.#settle(alongside)
    } catch (error) {
      // Without a stored row, a bill whose commit lost its connection could be stored twice.
      if (this.#stored === null) {
        this.#options.budget?.closed()
        throw error
      }
      this.#ctx.log.warn({ err: error }, 'model calls will be billed later')
      this.#ctx.state.usage.unsent.add(() => this.#settle(alongside))
    }
  }

  /** Gives back what is reserved, if no call was made. */
  release = async (): Promise<void> => this.#options.budget?.release()

  async #settle(alongside: Statement[]): Promise<void> {
    const owed = await this.bill()
    try {
      await storeBill(this.#ctx, { ...owed, statements: [...owed.statements, ...alongside] }, this.#who.tab)
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      this.#leaveToOthers()
      await this.#settle(alongside)
    }
  }

  /** Another process took this one for dead, and has billed the calls as they were stored. */
  #leaveToOthers(): void {
    const { finished = [], open = null } = this.#stored ?? {}
    this.#billedElsewhere += finished.length + (open ? 1 : 0)
    this.#stored = null
  }
}

const isPaid = ({ provider }: Charge): boolean => provider !== 'local'

/** Stores the bills that could not be stored while the database was away. */
export async function sendUnsent(ctx: Context): Promise<void> {
  const { unsent } = ctx.state.usage
  for (const send of [...unsent]) {
    await send()
    unsent.delete(send)
  }
}
