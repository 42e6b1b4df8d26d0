import { setTimeout as delay } from 'node:timers/promises'
import type { FoundPassages } from '../../../kernel/agent/found-passages.ts'
import { type AgentOutcome, runAgent } from '../../../kernel/agent/loop.ts'
import { decodeSteps, Steps, type TurnFacts, type TurnStatus } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { type Detail, type ErrorCode, Problem } from '../../../kernel/errors.ts'
import { ProviderError } from '../../../kernel/llm/model.ts'
import { Conflict, runStatements, type Statement } from '../../../kernel/store/commits.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { isUnavailable } from '../../../kernel/store/failures.ts'
import { second } from '../../../kernel/time.ts'
import { costOf, type Price } from '../../usage/cost.ts'
import type { Bill, Purpose } from '../../usage/ledger.ts'
import { FileTexts } from '../files/texts.ts'
import type { MessageRow } from '../message-row.ts'
import { cancelChannel, RemoteTurns } from '../streaming/remote-turns.ts'
import type { PreparedRun } from './agent-setup.ts'
import { firstCall, openMeter } from './budget.ts'
import { HistoryCache } from './history.ts'
import { ProgressWriter } from './progress.ts'
import type { Sink } from './sink.ts'
import { Stopped, Turn } from './turn.ts'
import { addUsage } from './turn-store.ts'

const checkEvery = second / 2
const databaseTimeout = 30 * second
const repeatAfter = second / 4

/** One answer of an agent, prepared and not yet started. */
export interface NewRun {
  reply: MessageRow
  run: PreparedRun
  /** What it is about, for its trace and its approvals. */
  facts: TurnFacts
  purpose: Purpose
  prices: Map<string, Price | null>
  steps: Steps
  sink: Sink
  /** Passages of an earlier run that it continues, which count on. */
  found?: FoundPassages
}

/** The runs of this process: each is prepared, reserves, loops, is billed and ends here, wherever its result is kept. */
export class Turns {
  readonly histories: HistoryCache
  readonly texts: FileTexts
  readonly progress: ProgressWriter
  readonly #ctx: Context
  readonly #running = new Map<string, Turn>()
  readonly #timer: NodeJS.Timeout
  readonly #unsubscribe: () => void
  /** Set while other nodes are watched. */
  stopWatching = (): void => {}
  /** The turns that run in other processes. */
  readonly remote: RemoteTurns

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.histories = new HistoryCache(ctx)
    this.texts = new FileTexts(ctx)
    this.progress = new ProgressWriter(ctx)
    this.#timer = setInterval(() => this.#check(), checkEvery)
    this.#timer.unref()
    this.remote = new RemoteTurns(ctx)
    this.#unsubscribe = ctx.signals.on(cancelChannel(ctx.node), () => void this.#checkCancellations())
  }

  find(messageId: string): Turn | undefined {
    return this.#running.get(messageId)
  }

  /**
   * Reserves for the first call and stores the start in one transaction, so that a refusal leaves no trace, then runs. Throws
   * `Conflict` if the sink cannot take the run. The signal cancels it.
   */
  async start(who: Caller, given: NewRun, signal?: AbortSignal): Promise<Turn> {
    const turn = await this.#newTurn(who, given)
    turn.steps.observer.describe({ messageId: turn.row.id })
    turn.row.steps = turn.steps.encode()
    this.#running.set(turn.row.id, turn)
    try {
      await turn.meter.reserveAhead(firstCall(given.run))
    } catch (error) {
      turn.steps.refuse(error)
      this.#leave(turn, 'ended')
      await turn.meter.release()
      throw error
    }
    signal?.addEventListener('abort', () => this.cancel(turn.row.id), { once: true })
    if (signal?.aborted) this.cancel(turn.row.id)
    this.#run(turn, given)
    return turn
  }

  /** Runs a turn that is already stored as running. */
  async resume(who: Caller, waiting: Omit<NewRun, 'steps'>): Promise<Turn> {
    const given = { ...waiting, steps: this.#resumeSteps(who, waiting) }
    const turn = await this.#retryWhileUnavailable(() => this.#newTurn(who, given))
    this.#running.set(turn.row.id, turn)
    this.#run(turn, given)
    return turn
  }

  async #newTurn(who: Caller, given: NewRun): Promise<Turn> {
    const { progress } = given.sink
    const store = progress && (() => this.#storeCalls(turn, progress.storeCalls))
    const meter = await openMeter(this.#ctx, who, given, store)
    const turn: Turn = new Turn(given.reply, given.steps, meter, given.found)
    return turn
  }

  #storeCalls = (turn: Turn, store: (turn: Turn) => Promise<void>): Promise<void> =>
    this.#retryWhileUnavailable(() => store(turn)).catch((error) => {
      if (error instanceof Conflict) this.cancel(turn.row.id) // others have ended it, or deleted it
      throw error
    })

  #resumeSteps({ traceparent }: Caller, { reply, facts }: Pick<NewRun, 'reply' | 'facts'>): Steps {
    const stored = decodeSteps(reply.steps) ?? undefined
    const resumed = { traceparent: stored?.traceparent ?? null }
    const steps = new Steps(
      this.#ctx.now(),
      this.#ctx.telemetry.turn({ request: traceparent ?? null, resumed }),
      stored,
    )
    const { workspace_id: workspace, conversation_id: conversationId, id: messageId } = reply
    steps.observer.describe({ ...facts, workspace, conversationId, messageId })
    steps.endWait()
    return steps
  }

  cancel(messageId: string): void {
    this.#running.get(messageId)?.stop(new Stopped('cancelled', 'The reply was cancelled.'))
  }

  /** Lets running turns finish, for at most `patience` milliseconds; the rest is stored as interrupted. */
  async close(patience: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const turn of this.#running.values()) turn.stop(new Stopped('interrupted', 'The service is stopping.'))
    }, patience)
    await Promise.all([...this.#running.values()].map((turn) => turn.finished))
    clearTimeout(timer)
    clearInterval(this.#timer)
    this.stopWatching()
    this.#unsubscribe()
    await this.progress.close()
    await this.texts.close()
  }

  #run(turn: Turn, given: NewRun): void {
    turn.enter('running')
    given.sink.progress?.begin(turn)
    void this.#execute(turn, given)
  }

  async #execute(turn: Turn, given: NewRun): Promise<void> {
    const { row } = turn
    try {
      await this.#answer(turn, given)
    } catch (error) {
      await turn.keepUsedCitations().catch(() => {}) // the reply so far stays, with what it cites
      this.#recordFailure(turn, turn.signal.aborted ? turn.signal.reason : error)
    }
    turn.steps.finish(row.status as TurnStatus, row.code)
    turn.enter('ending')
    try {
      await this.#end(turn, given.sink)
    } catch (error) {
      this.#ctx.log.error({ err: error, message: row.id }, 'a reply could not be stored')
      Object.assign(row, { status: 'failed', code: 'internal_error', error: 'The reply could not be stored.' })
      given.sink.closed?.(turn, 'failed')
    }
    this.#leave(turn, row.status === 'awaiting_approval' ? 'waiting' : 'ended')
  }

  async #answer(turn: Turn, { run, purpose, prices, sink }: NewRun): Promise<void> {
    const outcome = await runAgent(
      {
        ...run,
        canPause: run.canPause === true && sink.pause !== undefined,
        signal: turn.signal,
        tokens: this.#ctx.tokens,
        purpose,
        budget: turn.meter,
        steps: turn.steps,
        costOf: ({ modelId, usage }) => costOf(usage, prices.get(modelId) ?? null),
      },
      turn,
    )
    const { row } = turn
    row.model_id = outcome.modelId
    if (outcome.paused) {
      row.status = 'awaiting_approval'
      sink.pause?.(turn, outcome.paused)
    } else await this.#complete(turn, outcome)
  }

  async #complete(turn: Turn, { finishReason, output = null, handedOver }: AgentOutcome): Promise<void> {
    if (handedOver) turn.onHandedOver(handedOver)
    await turn.keepUsedCitations()
    Object.assign(turn.row, { status: 'completed', finish_reason: finishReason, output })
  }

  #recordFailure(turn: Turn, error: unknown): void {
    const { row } = turn
    turn.failure = error
    if (error instanceof Stopped) {
      row.status = error.status
      row.finish_reason = error.status
      if (error.status === 'interrupted') Object.assign(row, { code: 'internal_error', error: error.message })
      return
    }
    const [code, message] = explain(error)
    if (code === 'internal_error') this.#ctx.log.error({ err: error, message: row.id }, 'a turn failed')
    Object.assign(row, { status: 'failed', finish_reason: 'error', code, error: message, details: faultsIn(error) })
  }

  async #end(turn: Turn, sink: Sink): Promise<void> {
    const { row, meter } = turn
    const isFree = sink.isRepeated?.(turn) ?? false
    Object.assign(row, turn.progress(), { latency_ms: turn.elapsed(), alive_at: this.#ctx.now() })
    if (!isFree) row.usage = addUsage(row.usage, meter.charges)
    if (!sink.progress) return meter.close(sink.end?.(turn))
    const bill = await this.#retryWhileUnavailable(() => meter.bill({ isFree }))
    const statements = sink.end?.(turn) ?? []
    try {
      await this.#commitEnd(row, sink, [...statements, ...bill.statements])
      sink.closed?.(turn, 'stored')
    } catch (error) {
      if (!(error instanceof Conflict)) throw error // whoever ends the turn later bills it
      await this.#endedByOthers(turn, sink, bill)
    } finally {
      bill.sent()
    }
  }

  async #commitEnd(row: MessageRow, sink: Sink, statements: Statement[]): Promise<void> {
    let isRepeated = false
    await this.#retryWhileUnavailable(async () => {
      // The commit that lost its connection may have succeeded.
      if (isRepeated && (await sink.stored?.())?.status === row.status) return
      isRepeated = true
      if (row.status !== 'awaiting_approval') return this.#ctx.commits.commit(statements)
      await inTransaction(this.#ctx.db, async (tx) => {
        await runStatements(tx, statements)
        await sink.publish?.(tx)
      })
    })
  }

  async #endedByOthers(turn: Turn, sink: Sink, bill: Bill): Promise<void> {
    const stored = await this.#retryWhileUnavailable(async () => sink.stored?.())
    // Another node took this one for dead. It has ended the turn and billed it, and that is what everybody is told.
    if (stored) Object.assign(turn.row, stored)
    else await this.#ctx.commits.commit(bill.statements) // the conversation was deleted, and the provider is paid all the same
    if (!stored && turn.row.status === 'awaiting_approval') throw new Conflict('The conversation was deleted.')
    sink.closed?.(turn, 'ended by others')
  }

  async #retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + databaseTimeout
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isUnavailable(error) || performance.now() > deadline) throw error
        await delay(repeatAfter)
      }
    }
  }

  #leave(turn: Turn, state: 'waiting' | 'ended'): void {
    this.#running.delete(turn.row.id)
    turn.enter(state)
  }

  #check(): void {
    if (this.#running.size === 0) return
    for (const turn of this.#running.values()) {
      if (turn.state === 'running' && turn.age() > this.#ctx.config.turnTimeout) turn.stop(turnTimeout(this.#ctx))
    }
    void this.progress.storeRows()
    if (this.#ctx.engine === 'postgres') void this.#checkCancellations()
  }

  /** A reply may be cancelled through another node, ended by one that took this one for dead, or deleted. */
  async #checkCancellations(): Promise<void> {
    const ids = this.progress.running().map(({ row }) => row.id)
    if (ids.length === 0) return
    const rows = await this.#ctx.db
      .selectFrom('message')
      .select(['id', 'status', 'cancel_requested'])
      .where('id', 'in', ids)
      .execute()
      .catch(() => null)
    if (rows === null) return
    const wanted = new Set(rows.filter((row) => row.status === 'running' && !row.cancel_requested).map(({ id }) => id))
    for (const id of ids) if (!wanted.has(id)) this.cancel(id)
  }
}

/** Operators limit replies with TURN_TIMEOUT_SECONDS. */
const turnTimeout = ({ config }: Context): Problem =>
  new Problem('turn_timeout', `The reply took longer than ${config.turnTimeout / second} seconds.`)

/** The code and the message of the error that ended a turn. */
function explain(error: unknown): [ErrorCode, string] {
  if (error instanceof Problem) return [error.code, error.message]
  if (error instanceof ProviderError)
    return [error.kind === 'timeout' ? 'provider_timeout' : 'provider_error', error.message]
  return ['internal_error', 'Something failed inside the service; the log says what.']
}

/** Where a reply does not follow its schema. */
const faultsIn = (error: unknown): Detail[] | null =>
  error instanceof Problem && error.code === 'output_invalid' ? (error.details ?? null) : null
