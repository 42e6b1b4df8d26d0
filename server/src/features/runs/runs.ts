import { setTimeout as delay } from 'node:timers/promises'
import type { PendingCall } from '../../kernel/agent/approval.ts'
import { type AgentOutcome, type Handoff, runAgent } from '../../kernel/agent/loop.ts'
import { firstWaiting, isWaiting } from '../../kernel/agent/needs.ts'
import { decodeSteps, Steps, type TurnStatus } from '../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { Conflict, runStatements, type Statement } from '../../kernel/store/commits.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { isUnavailable } from '../../kernel/store/failures.ts'
import { second } from '../../kernel/time.ts'
import { knownCost } from '../usage/cost.ts'
import type { Bill } from '../usage/ledger.ts'
import { endingFor, endOpenCalls, Stopped } from './ending.ts'
import { handTo } from './handoff.ts'
import { firstCall, type NewRun, openMeter } from './new-run.ts'
import { addUsage, type MessageRow } from './reply.ts'
import { Run } from './run.ts'
import type { Sink } from './sink.ts'

const checkEvery = second / 2
const databaseTimeout = 30 * second
const repeatAfter = second / 4

/** The runs of this process: each is prepared, reserves, loops, is billed and ends here, wherever its result is kept. */
export class Runs {
  readonly #ctx: Context
  readonly #running = new Map<string, Run>()
  readonly #timer: NodeJS.Timeout
  #closing: Promise<void> | undefined
  /** Called with every run that goes on after an approval. */
  onResumed: (run: Run) => void = () => {}

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#timer = setInterval(() => this.#stopOverdue(), checkEvery)
    this.#timer.unref()
  }

  /** The run that writes this reply. */
  find(messageId: string): Run | undefined {
    return this.#running.get(messageId)
  }

  /**
   * Reserves for the first call and stores the start in one transaction, so that a refusal leaves no trace, then runs. Throws
   * `Conflict` if the sink cannot take the run. The signal cancels it.
   */
  async start(who: Caller, given: NewRun, signal?: AbortSignal): Promise<Run> {
    const { reply, steps } = given
    steps.observer.describe({ messageId: reply.id })
    reply.steps = steps.encode()
    const run = await this.#newRun(who, given)
    this.#running.set(reply.id, run)
    try {
      await run.meter.reserveAhead(firstCall(given.run))
    } catch (error) {
      run.steps.refuse(error)
      this.#leave(run, 'ended')
      await run.meter.release()
      throw error
    }
    signal?.addEventListener('abort', () => this.cancel(run.row.id), { once: true })
    if (signal?.aborted) this.cancel(run.row.id)
    this.#run(who, run, given)
    return run
  }

  /** Continues a run that is already stored as running. */
  async resume(who: Caller, waiting: Omit<NewRun, 'steps'>): Promise<Run> {
    const given = { ...waiting, steps: this.#resumeSteps(who, waiting) }
    const run = await this.#retryWhileUnavailable(() => this.#newRun(who, given))
    this.#running.set(run.row.id, run)
    this.#run(who, run, given)
    this.onResumed(run)
    return run
  }

  async #newRun(who: Caller, given: NewRun): Promise<Run> {
    const { progress } = given.sink
    const store = progress && (() => this.#storeCalls(run, progress.storeCalls))
    const meter = await openMeter(this.#ctx, who, given, store)
    const run: Run = new Run(given.reply, given.steps, meter, given.found)
    return run
  }

  #storeCalls = (run: Run, store: (run: Run) => Promise<void>): Promise<void> =>
    this.#retryWhileUnavailable(() => store(run)).catch((error) => {
      if (error instanceof Conflict) this.cancel(run.row.id) // others have ended it, or deleted it
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

  /** Lets runs finish, for at most `patience` milliseconds; the rest is stored as interrupted. */
  close(patience: number): Promise<void> {
    this.#closing ??= this.#close(patience)
    return this.#closing
  }

  async #close(patience: number): Promise<void> {
    const timer = setTimeout(() => {
      for (const run of this.#running.values()) run.stop(new Stopped('interrupted', 'The service is stopping.'))
    }, patience)
    await Promise.all([...this.#running.values()].map((run) => run.finished))
    clearTimeout(timer)
    clearInterval(this.#timer)
  }

  #run(who: Caller, run: Run, given: NewRun): void {
    run.enter('running')
    given.sink.progress?.begin(run)
    void this.#execute(who, run, given)
  }

  async #execute(who: Caller, run: Run, given: NewRun): Promise<void> {
    const { row } = run
    const { shorten, run: prepared } = given
    try {
      const messages = shorten ? await shorten(prepared.messages, run.signal) : prepared.messages
      await this.#answer(who, run, { ...given, run: { ...prepared, messages } })
    } catch (error) {
      await run.keepUsedCitations().catch(() => {}) // the reply so far stays, with what it cites
      this.#recordFailure(run, run.signal.aborted ? run.signal.reason : error)
    }
    run.steps.finish(isWaiting(row.status) ? 'awaiting_approval' : (row.status as TurnStatus), row.code)
    run.enter('ending')
    try {
      await this.#end(run, given.sink)
    } catch (error) {
      this.#ctx.log.error({ err: error, message: row.id }, 'a reply could not be stored')
      run.failure = error
      Object.assign(row, { status: 'failed', code: 'internal_error', error: 'The reply could not be stored.' })
      given.sink.closed?.(run, 'failed')
    }
    this.#leave(run, isWaiting(row.status) ? 'waiting' : 'ended')
  }

  async #answer(who: Caller, run: Run, given: NewRun): Promise<void> {
    const { run: prepared, purpose, prices, sink } = given
    const outcome = await runAgent(
      {
        ...prepared,
        canPause: prepared.canPause === true && sink.pause !== undefined,
        isUnattended: sink.isUnattended === true,
        signal: run.signal,
        tokens: this.#ctx.tokens,
        retry: { ...prepared.retry, random: this.#ctx.random },
        purpose,
        budget: run.meter,
        steps: run.steps,
        computeCost: ({ modelId, usage }) => knownCost(usage, prices.get(modelId) ?? null),
      },
      run,
    )
    const { row } = run
    row.model_id = outcome.modelId ?? row.model_id
    if (outcome.handoff) return this.#answer(who, run, await this.#handOff(who, run, given, outcome.handoff))
    if (outcome.paused) {
      row.status = firstWaiting(outcome.paused.pending.map(waitingStatus))
      sink.pause?.(run, outcome.paused)
    } else await this.#complete(run, outcome)
  }

  /** Bills the agent so far, and lets another one go on with the reply. */
  async #handOff(who: Caller, run: Run, given: NewRun, handoff: Handoff): Promise<NewRun> {
    const { row, meter } = run
    const { progress, isRepeatable: isBilledLater = false } = given.sink
    const { setup, ...handed } = await handTo(this.#ctx, who, run, given, handoff)
    const { id: agent_id, version: agent_version } = setup.agent
    run.onHandoff({ from_agent_id: row.agent_id, to_agent_id: agent_id, reason: handoff.reason })
    run.steps.observer.describe(handed.facts)
    Object.assign(row, { agent_id, agent_version, label: setup.label, model_id: setup.model.id })
    const usage = isBilledLater ? row.usage : addUsage(row.usage, meter.charges)
    if (progress) {
      await progress.settle(run)
      const bill = isBilledLater ? null : await this.#retryWhileUnavailable(() => meter.bill())
      const statements = [...(given.sink.handOff?.(run, { ...handed, usage }) ?? []), ...(bill?.statements ?? [])]
      await this.#storeCalls(run, () => this.#ctx.commits.commit(statements))
      bill?.sent()
    } else await meter.close()
    row.usage = usage
    // The start of the run is stored already, and the call that it began with was another agent's.
    const sink: Sink = progress ? { progress: { ...progress, knowsFirstCall: false } } : {}
    const store = progress && (() => this.#storeCalls(run, progress.storeCalls))
    run.meter = await openMeter(this.#ctx, who, { ...handed, sink }, store)
    if (isBilledLater) run.meter.charges.push(...meter.charges)
    return handed
  }

  async #complete(run: Run, { finishReason, output = null, handedOver }: AgentOutcome): Promise<void> {
    if (handedOver) run.onHandedOver(handedOver)
    await run.keepUsedCitations()
    Object.assign(run.row, { status: 'completed', finish_reason: finishReason, output })
  }

  #recordFailure(run: Run, error: unknown): void {
    const { row } = run
    run.failure = error
    const ending = endingFor(error)
    if (ending.status === 'failed' && ending.code === 'internal_error')
      this.#ctx.log.error({ err: error, message: row.id }, 'a run failed')
    Object.assign(row, ending)
  }

  async #end(run: Run, sink: Sink): Promise<void> {
    const { row, meter } = run
    const isFree = sink.isRepeatable === true && row.status === 'interrupted'
    Object.assign(row, run.progress(), { latency_ms: run.elapsed(), alive_at: this.#ctx.now() })
    if (!isFree) row.usage = addUsage(row.usage, meter.charges)
    if (!sink.progress) return meter.close(sink.end?.(run))
    await sink.progress.settle(run)
    if (run.failure !== null) endOpenCalls(row, endingFor(run.failure).status)
    const bill = await this.#retryWhileUnavailable(() => meter.bill({ isFree }))
    const statements = sink.end?.(run) ?? []
    try {
      await this.#commitEnd(row, sink, [...statements, ...bill.statements])
      sink.closed?.(run, 'stored')
    } catch (error) {
      if (!(error instanceof Conflict)) throw error // whoever ends the run later bills it
      await this.#endedByOthers(run, sink, bill)
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
      if (!isWaiting(row.status)) return this.#ctx.commits.commit(statements)
      await inTransaction(this.#ctx.db, async (tx) => {
        await runStatements(tx, statements)
        await sink.publish?.(tx)
      })
    })
  }

  async #endedByOthers(run: Run, sink: Sink, bill: Bill): Promise<void> {
    const stored = await this.#retryWhileUnavailable(async () => sink.stored?.())
    // Another node took this one for dead. It has ended the run and billed it, and that is what everybody is told.
    if (stored) Object.assign(run.row, stored)
    else await this.#ctx.commits.commit(bill.statements) // the conversation was deleted, and the provider is paid all the same
    if (!stored && isWaiting(run.row.status)) throw new Conflict('The conversation was deleted.')
    sink.closed?.(run, 'ended by others')
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

  #leave(run: Run, state: 'waiting' | 'ended'): void {
    this.#running.delete(run.row.id)
    run.enter(state)
  }

  #stopOverdue(): void {
    for (const run of this.#running.values()) {
      if (run.state === 'running' && run.age() > this.#ctx.config.turnTimeout) run.stop(turnTimeout(this.#ctx))
    }
  }
}

/** Operators limit replies with TURN_TIMEOUT_SECONDS. */
const turnTimeout = ({ config }: Context): Problem =>
  new Problem('turn_timeout', `The reply took longer than ${config.turnTimeout / second} seconds.`)

const waitingStatus = ({ awaits, needs }: PendingCall) =>
  awaits?.status ?? (needs ? (`awaiting_${needs.kind}` as const) : 'awaiting_approval')
