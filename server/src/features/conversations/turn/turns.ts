import { setTimeout as delay } from 'node:timers/promises'
import { runAgent } from '../../../kernel/agent/loop.ts'
import { decodeSteps, Steps, type TurnStatus } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { type Detail, type ErrorCode, Problem } from '../../../kernel/errors.ts'
import { ProviderError } from '../../../kernel/llm/model.ts'
import { Conflict, runStatements, type Statement } from '../../../kernel/store/commits.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { isUnavailable } from '../../../kernel/store/failures.ts'
import { second } from '../../../kernel/time.ts'
import { costOf } from '../../usage/cost.ts'
import { bill, type Charge } from '../../usage/ledger.ts'
import { newApprovals } from '../approvals/store.ts'
import { FileTexts } from '../files/texts.ts'
import type { MessageRow } from '../message-row.ts'
import { findMessage } from '../store.ts'
import { cancelChannel, RemoteTurns } from '../streaming/remote-turns.ts'
import { openTurnBudget, purposeOf } from './budget.ts'
import { HistoryCache } from './history.ts'
import type { Preparation, Resumption } from './prepare.ts'
import { ProgressWriter } from './progress.ts'
import { Stopped, Turn } from './turn.ts'
import { addUsage, endStatements, startStatements, type Waiting } from './turn-store.ts'

const storeProgressEvery = second / 2
const databaseTimeout = 30 * second
const repeatAfter = second / 4

/** The turns that run in this process. */
export class Turns {
  readonly histories: HistoryCache
  readonly texts: FileTexts
  readonly #ctx: Context
  readonly #running = new Map<string, Turn>()
  readonly #progress: ProgressWriter
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
    this.#progress = new ProgressWriter(ctx, this.#running)
    this.#timer = setInterval(() => this.#storeProgress(), storeProgressEvery)
    this.#timer.unref()
    this.remote = new RemoteTurns(ctx)
    this.#unsubscribe = ctx.signals.on(cancelChannel(ctx.node), () => void this.#checkCancellations())
  }

  find(messageId: string): Turn | undefined {
    return this.#running.get(messageId)
  }

  /** Stores the start of a turn, then runs it. Throws `Conflict` when the conversation is not free. */
  async start(who: Caller, preparation: Preparation): Promise<Turn> {
    const turn = new Turn(preparation.reply, preparation.steps)
    turn.steps.observer.describe({ messageId: turn.row.id })
    turn.row.steps = turn.steps.encode()
    this.#running.set(turn.row.id, turn)
    try {
      await this.#ctx.commits.commit(startStatements(this.#ctx, preparation))
    } catch (error) {
      this.#end(turn, 'ended')
      throw error
    }
    turn.enter('running')
    void this.#run(who, preparation, turn)
    return turn
  }

  /** Runs a turn that is already stored as running. */
  resume(who: Caller, paused: Resumption): Turn {
    const preparation = { ...paused, steps: this.#resumeSteps(who, paused) }
    const turn = new Turn(preparation.reply, preparation.steps)
    this.#running.set(turn.row.id, turn)
    turn.enter('running')
    void this.#run(who, preparation, turn)
    return turn
  }

  #resumeSteps({ traceparent }: Caller, { reply, facts }: Resumption): Steps {
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
    await this.#progress.close()
    await this.texts.close()
  }

  async #run(who: Caller, preparation: Preparation, turn: Turn): Promise<void> {
    let waiting: Waiting | undefined
    try {
      waiting = await this.#answer(who, preparation, turn)
    } catch (error) {
      await turn.keepUsedCitations().catch(() => {}) // the reply so far stays, with what it cites
      this.#recordFailure(turn.row, turn.signal.aborted ? turn.signal.reason : error)
    }
    turn.steps.finish(turn.row.status as TurnStatus, turn.row.code)
    turn.enter('storing')
    try {
      if (!(await this.#store(who, preparation, turn, waiting))) waiting = undefined
    } catch (error) {
      this.#ctx.log.error({ err: error, message: turn.row.id }, 'a reply could not be stored')
      Object.assign(turn.row, { status: 'failed', code: 'internal_error', error: 'The reply could not be stored.' })
      this.histories.invalidate(turn.row.conversation_id)
      waiting = undefined
    }
    this.#end(turn, waiting ? 'paused' : 'ended')
  }

  /** Runs the agent loop. Returns what to resume from when calls need approval. */
  async #answer(who: Caller, preparation: Preparation, turn: Turn): Promise<Waiting | undefined> {
    const { row, signal } = turn
    preparation.budget ??= await this.#patiently(() => openTurnBudget(this.#ctx, who, preparation))
    turn.onModelStarting = async (call) => {
      turn.openCall = call
      await this.#patiently(() => this.#progress.storeCalls(turn)).catch((error) => {
        if (error instanceof Conflict) this.cancel(row.id) // others have ended it, or deleted it
        throw error
      })
    }
    const outcome = await runAgent(
      {
        ...preparation.run,
        signal,
        tokens: this.#ctx.tokens,
        purpose: purposeOf(preparation),
        budget: preparation.budget,
        steps: turn.steps,
        costOf: ({ modelId, usage }) => costOf(usage, preparation.prices.get(modelId) ?? null),
      },
      turn,
    )
    row.model_id = outcome.modelId
    if (outcome.paused) {
      row.status = 'awaiting_approval'
      const { pending } = outcome.paused
      const approvals = newApprovals(this.#ctx, row, preparation.facts.agentName ?? null, pending)
      turn.onApprovalRequired(pending, approvals)
      turn.steps.start('approval', { toolCallIds: pending.map(({ id }) => id) })
      return { pause: outcome.paused, approvals }
    }
    if (outcome.handedOver) turn.onHandedOver(outcome.handedOver)
    await turn.keepUsedCitations()
    row.status = 'completed'
    row.finish_reason = outcome.finishReason
    row.output = outcome.output ?? null
    return undefined
  }

  #recordFailure(row: MessageRow, error: unknown): void {
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

  /** Returns false if others have ended the turn or deleted it. */
  async #store(who: Caller, preparation: Preparation, turn: Turn, waiting?: Waiting): Promise<boolean> {
    const { conversation, question, prices } = preparation
    const { row } = turn
    Object.assign(row, turn.progress(), { latency_ms: turn.elapsed(), alive_at: this.#ctx.now() })
    // A case of an evaluation that is interrupted runs again, and is billed for the run that counts.
    const runsAgain = row.status === 'interrupted' && conversation.evaluation_id !== null
    const charges = (runsAgain ? [] : turn.modelCalls).map(
      ({ modelId, usage, estimated }): Charge => ({
        kind: 'chat',
        modelId,
        ...nameOf(preparation, modelId),
        usage,
        estimated,
        price: prices.get(modelId) ?? null,
      }),
    )
    const costs = await this.#patiently(() => bill(this.#ctx, who, purposeOf(preparation), charges, preparation.budget))
    row.usage = addUsage(row.usage, costs.rows)
    const ending = endStatements(this.#ctx, who, turn, preparation, waiting)
    try {
      await this.#commitEnd(row, [...ending, ...costs.statements], waiting)
    } catch (error) {
      if (!(error instanceof Conflict)) throw error // whoever ends the turn later bills it
      this.histories.invalidate(conversation.id)
      const stored = await this.#patiently(() => this.#stored(row))
      if (stored) {
        // Another node took this one for dead. It has ended the turn and billed it, and that is what everybody is told.
        Object.assign(row, stored)
        return false
      }
      await this.#ctx.commits.commit(costs.statements) // the conversation was deleted, and the provider is paid all the same
      if (waiting) throw error
      return false
    } finally {
      costs.sent()
    }
    this.#progress.ended(turn)
    // Results of the caller's tools are added to the reply later.
    if (!question || question.content === '' || turn.handedOver) this.histories.invalidate(conversation.id)
    else if (!waiting) this.histories.extend(conversation.id, { question, reply: row })
    return true
  }

  async #commitEnd(row: MessageRow, statements: Statement[], waiting: Waiting | undefined): Promise<void> {
    let isRepeated = false
    await this.#patiently(async () => {
      // The commit that lost its connection may have succeeded.
      if (isRepeated && (await this.#stored(row))?.status === row.status) return
      isRepeated = true
      if (waiting) await this.#commitPause(row.workspace_id, statements, waiting)
      else await this.#ctx.commits.commit(statements)
    })
  }

  /** In one transaction with its events. */
  #commitPause(workspace: string, statements: Statement[], { approvals }: Waiting): Promise<void> {
    return inTransaction(this.#ctx.db, async (tx) => {
      await runStatements(tx, statements)
      for (const { revision, ...data } of approvals)
        await this.#ctx.events.publish(tx, { workspace, type: 'approval.required', data })
    })
  }

  /** A turn waits for a database that is away. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
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

  #stored = ({ workspace_id, conversation_id, id }: MessageRow): Promise<MessageRow | undefined> =>
    findMessage(this.#ctx.db, workspace_id, conversation_id, id)

  #end(turn: Turn, state: 'paused' | 'ended'): void {
    this.#running.delete(turn.row.id)
    turn.enter(state)
  }

  #storeProgress(): void {
    if (this.#running.size === 0) return
    for (const turn of this.#running.values()) {
      if (turn.state === 'running' && turn.age() > this.#ctx.config.turnTimeout) turn.stop(turnTimeout(this.#ctx))
    }
    void this.#progress.storeRows()
    if (this.#ctx.engine === 'postgres') void this.#checkCancellations()
  }

  /** A reply may be cancelled through another node, ended by one that took this one for dead, or deleted. */
  async #checkCancellations(): Promise<void> {
    const ids = [...this.#running].flatMap(([id, { state }]) => (state === 'running' ? [id] : []))
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

const nameOf = ({ run }: Preparation, modelId: string): Pick<Charge, 'provider' | 'model'> => {
  const { provider = '', name = '' } = run.models.find(({ id }) => id === modelId) ?? {}
  return { provider, model: name }
}

/** Operators limit replies with TURN_TIMEOUT_SECONDS. */
export const turnTimeout = ({ config }: Context): Problem =>
  new Problem('turn_timeout', `The reply took longer than ${config.turnTimeout / second} seconds.`)

/** The code and the message of the error that ended a turn. */
export function explain(error: unknown): [ErrorCode, string] {
  if (error instanceof Problem) return [error.code, error.message]
  if (error instanceof ProviderError)
    return [error.kind === 'timeout' ? 'provider_timeout' : 'provider_error', error.message]
  return ['internal_error', 'Something failed inside the service; the log says what.']
}

/** Where a reply does not follow its schema. */
export const faultsIn = (error: unknown): Detail[] | null =>
  error instanceof Problem && error.code === 'output_invalid' ? (error.details ?? null) : null
