import type { Pause } from '../../kernel/agent/approval.ts'
import { runAgent } from '../../kernel/agent/loop.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { type ErrorCode, Problem } from '../../kernel/errors.ts'
import { ProviderError } from '../../kernel/llm/model.ts'
import { type Statement, Superseded } from '../../kernel/store/commits.ts'
import { minute, second, timestamp } from '../../kernel/time.ts'
import { type Bill, bill, type Charge } from '../usage/ledger.ts'
import { activity } from './activity.ts'
import { Beginning, type Opening } from './beginning.ts'
import { stampDay } from './day-stamp.ts'
import { Histories } from './history.ts'
import { LastConversation } from './last-conversation.ts'
import { LiveTurn } from './live-turn.ts'
import { insertMessage, type MessageRow, updateMessage } from './message-row.ts'
import { pausing } from './paused-turn.ts'
import type { Preparation, PreparedRun } from './prepare.ts'
import { toolCallRows } from './tool-call-row.ts'
import { openTurnBudget, purposeOf } from './turn-budget.ts'
import { forgetCalls, keepCalls } from './turn-calls.ts'
import { withRows } from './turn-usage.ts'

const flushEvery = second / 2
const longestTurn = 10 * minute

class Stopped extends Error {
  readonly status: 'cancelled' | 'interrupted'
  constructor(status: 'cancelled' | 'interrupted', message: string) {
    super(message)
    this.status = status
  }
}

/** The turns that run in this process. */
export class Turns {
  readonly histories = new Histories()
  readonly lastConversation: LastConversation
  private readonly ctx: Context
  private readonly live = new Map<string, LiveTurn>()
  /** The conversations whose next turn is not written down yet. */
  private readonly beginning = new Set<string>()
  private readonly isAlone: boolean
  /** The last turn ended as it began. */
  private areQuick = false
  private readonly flushing: NodeJS.Timeout

  constructor(ctx: Context) {
    this.ctx = ctx
    this.isAlone = ctx.engine === 'sqlite'
    this.lastConversation = new LastConversation(ctx)
    this.flushing = setInterval(() => this.flush(), flushEvery)
    this.flushing.unref()
  }

  find(messageId: string): LiveTurn | undefined {
    return this.live.get(messageId)
  }

  /**
   * Stores the beginning of a turn and sets it going. Throws `Superseded` when the conversation is not free.
   *
   * Where this process is the only one, it knows by itself whether a conversation is free, so the model is asked at once.
   */
  async start(who: Caller, preparation: Preparation, isStreamed: boolean): Promise<LiveTurn> {
    const { conversation, reply } = preparation
    if (this.beginning.has(conversation.id)) throw new Superseded('Another turn is beginning.')
    const turn = new LiveTurn(reply, preparation.questionText)
    const begun = { ...preparation, reply: { ...reply } } // the reply itself goes on changing
    const beginning = new Beginning(this.ctx.commits, isStreamed ? 'streamed' : 'whole', () => [
      ...this.opening(begun, { running_message_id: reply.id }).statements,
      insertMessage(this.ctx, begun.reply),
    ])
    this.beginning.add(conversation.id)
    try {
      if (!this.isAlone) await beginning.send()
      this.setGoing(who, preparation, turn, beginning)
      if (this.areQuick && this.live.size === 1) setImmediate(() => this.openAhead(preparation, beginning))
      if (isStreamed) onFirstEvent(turn, () => beginning.send())
      await beginning.stored
      turn.isStored = true
    } catch (error) {
      this.live.delete(reply.id)
      turn.control.abort(error)
      throw error
    } finally {
      this.beginning.delete(conversation.id)
    }
    return turn
  }

  /** What is written of a turn that begins, and of one that ends as it begins. */
  private opening(
    { conversation, conversationChanges, question, reply, further }: Preparation,
    state: { running_message_id?: string; last_message_id?: string },
  ): Opening {
    const { ctx } = this
    const now = ctx.now()
    const changes = { ...state, ...activity(conversation, now), updated_at: timestamp(now), ...conversationChanges }
    const statements = [
      ctx.statements.update(
        'conversation',
        changes,
        { id: conversation.id, workspace_id: reply.workspace_id, status: 'active', running_message_id: null },
        1,
      ),
      ...(question ? [insertMessage(ctx, question)] : []),
      ...further,
      stampDay(ctx, reply),
    ]
    return { changes, statements }
  }

  /** While the model thinks there is nothing else to do. Worth it where models answer so soon that one commit does for all. */
  private openAhead(preparation: Preparation, beginning: Beginning): void {
    if (!beginning.isWaiting || this.live.size !== 1) return
    beginning.opening = this.opening(preparation, { last_message_id: preparation.reply.id })
    this.ctx.commits.begin(beginning.opening.statements)
  }

  /** Goes on with a turn that is already stored as running. */
  resume(who: Caller, preparation: Preparation): LiveTurn {
    const turn = new LiveTurn(preparation.reply, preparation.questionText)
    turn.isStored = true
    this.setGoing(who, preparation, turn)
    return turn
  }

  private setGoing(who: Caller, preparation: Preparation, turn: LiveTurn, beginning?: Beginning): void {
    this.live.set(turn.row.id, turn)
    void this.run(who, preparation, turn, beginning)
  }

  cancel(messageId: string): void {
    this.live.get(messageId)?.control.abort(new Stopped('cancelled', 'The reply was cancelled.'))
  }

  /** Lets the turns finish, for as long as the patience lasts; the rest is stored as interrupted. */
  async close(patience: number): Promise<void> {
    const all = () => Promise.all([...this.live.values()].map((turn) => turn.finished))
    const timer = setTimeout(() => {
      for (const turn of this.live.values()) turn.control.abort(new Stopped('interrupted', 'The service is stopping.'))
    }, patience)
    await all()
    clearTimeout(timer)
    clearInterval(this.flushing)
  }

  private async run(who: Caller, preparation: Preparation, turn: LiveTurn, beginning?: Beginning): Promise<void> {
    const { row, control } = turn
    const run = beginning ? waitingFor(beginning, preparation.run) : preparation.run
    let pause: Pause | undefined
    try {
      const { budget = await openTurnBudget(this.ctx, who, preparation) } = preparation
      preparation.budget = budget
      const outcome = await runAgent({ ...run, signal: control.signal, budget }, turn)
      if (!outcome.paused) await turn.settleCitations()
      row.model_id = outcome.modelId
      if (outcome.paused) {
        row.status = 'awaiting_approval'
        turn.onApprovalRequired(outcome.paused.pending)
        pause = outcome.paused
      } else {
        row.status = 'completed'
        row.finish_reason = outcome.finishReason
      }
    } catch (error) {
      await turn.settleCitations().catch(() => {}) // what there is of the reply stays, and no more than it cites
      this.note(row, control.signal.aborted ? control.signal.reason : error)
    }
    try {
      await this.store(who, preparation, turn, beginning, pause)
    } catch (error) {
      this.ctx.log.error({ err: error, message: row.id }, 'a turn could not be ended')
      beginning?.fail(error)
      this.ctx.commits.giveUp()
      this.live.delete(row.id)
      turn.end()
    }
  }

  /** What went wrong, as the message tells it. */
  private note(row: MessageRow, error: unknown): void {
    if (error instanceof Stopped) {
      row.status = error.status
      row.finish_reason = error.status
      if (error.status === 'interrupted') Object.assign(row, { code: 'internal_error', error: error.message })
      return
    }
    const [code, message] = explain(error)
    if (code === 'internal_error') this.ctx.log.error({ err: error, message: row.id }, 'a turn failed')
    Object.assign(row, { status: 'failed', finish_reason: 'error', code, error: message })
  }

  private async store(
    who: Caller,
    preparation: Preparation,
    turn: LiveTurn,
    beginning?: Beginning,
    pause?: Pause,
  ): Promise<void> {
    const whole = !pause && beginning?.take() ? beginning : null
    const isBegun = whole !== null || (await hasBegun(beginning))
    this.areQuick = whole !== null
    const { ctx } = this
    const { conversation, prices } = preparation
    const { row } = turn
    Object.assign(row, turn.soFar(), { latency_ms: turn.elapsed(), alive_at: ctx.now() })
    // A case of an evaluation that is cut off is run again, and is billed once: for the run that counts.
    const isRunAgain = row.status === 'interrupted' && conversation.evaluation_id !== null
    const charges = (isRunAgain ? [] : turn.modelCalls).map(
      ({ modelId, usage, estimated }): Charge => ({
        kind: 'chat',
        modelId,
        usage,
        estimated,
        price: prices.get(modelId) ?? null,
      }),
    )
    const costs = await bill(ctx, who, purposeOf(preparation), charges, preparation.budget)
    if (!isBegun) return this.endUnkept(turn, costs)
    row.usage = withRows(row.usage, costs.rows)
    const opening = whole && (whole.opening ?? this.opening(preparation, { last_message_id: row.id }))
    const ending: Statement[] = [
      ...(opening ? [...opening.statements, insertMessage(ctx, row)] : this.closing(row, pause)),
      ...(pause ? [pausing(ctx, row, preparation.run, pause)] : []),
      ...toolCallRows(ctx, row),
      ...(turn.keptCalls > 0 ? [forgetCalls(ctx, row)] : []),
      ...costs.statements,
    ]
    try {
      const isAlone = this.live.size === 1
      await (whole?.sendAs(ending, isAlone) ?? ctx.commits.commit(ending, isAlone))
      if (opening) this.lastConversation.change(conversation, opening.changes, ending.length)
      costs.sent()
      if (turn.question === '') this.histories.forget(conversation.id)
      else if (!pause) this.histories.extend(ctx.tokens, conversation.id, row.id, turn.question, row.content)
    } catch (error) {
      if (whole) return this.endUnkept(turn, costs)
      ctx.log.error({ err: error, message: row.id }, 'a reply could not be stored')
      preparation.budget?.closed()
      Object.assign(row, { status: 'failed', code: 'internal_error', error: 'The reply could not be stored.' })
      this.histories.forget(conversation.id)
    }
    this.live.delete(row.id)
    turn.end()
  }

  /** A turn that found its conversation over or gone: whoever began it hears why, and what the model took is paid for. */
  private async endUnkept(turn: LiveTurn, costs: Bill): Promise<void> {
    try {
      if (costs.rows.length > 0) await this.ctx.commits.commit(costs.statements)
      costs.sent()
    } catch (error) {
      this.ctx.log.error({ err: error, message: turn.row.id }, 'the cost of a turn could not be stored')
    }
    turn.end()
  }

  /** What is written of a turn that ends, or pauses. */
  private closing(row: MessageRow, pause: Pause | undefined): Statement[] {
    const { ctx } = this
    const {
      id,
      workspace_id,
      conversation_id,
      role,
      timestamp: asked,
      agent_id,
      agent_version,
      user_id,
      evaluation_id,
      superseded,
      cancel_requested,
      ...changes
    } = row
    const now = { active_at: ctx.now(), updated_at: timestamp(ctx.now()) }
    return [
      updateMessage(ctx, row, changes, pause && 1),
      stampDay(ctx, row),
      ctx.statements.update('conversation', pause ? now : { running_message_id: null, last_message_id: id, ...now }, {
        id: conversation_id,
        workspace_id,
        running_message_id: id,
      }),
    ]
  }

  /** Writes down what has come since the last time, so that a crash loses little; and hears of cancellations elsewhere. */
  private flush(): void {
    const { ctx } = this
    for (const turn of this.live.values()) {
      if (turn.age() > longestTurn)
        turn.control.abort(
          new Problem('provider_timeout', `The reply took longer than ${longestTurn / minute} minutes.`),
        )
      if (!turn.isStored) continue
      if (!turn.dirty && ctx.now() - turn.row.alive_at < 5 * second) continue
      turn.row.alive_at = ctx.now()
      const changes = [updateMessage(ctx, turn.row, { ...turn.soFar(), alive_at: turn.row.alive_at })]
      if (turn.modelCalls.length > turn.keptCalls) {
        turn.keptCalls = turn.modelCalls.length
        changes.push(keepCalls(ctx, turn.row, turn.modelCalls))
      }
      ctx.commits.commit(changes).catch((error) => {
        turn.dirty = true
        ctx.log.warn({ err: error, message: turn.row.id }, 'a running reply could not be written down')
      })
    }
    if (ctx.engine === 'postgres' && this.live.size > 0) void this.hearOfCancellations()
  }

  private async hearOfCancellations(): Promise<void> {
    const ids = [...this.live].flatMap(([id, turn]) => (turn.isStored ? [id] : []))
    if (ids.length === 0) return
    const rows = await this.ctx.db
      .selectFrom('message')
      .select(['id', 'cancel_requested'])
      .where('id', 'in', ids)
      .execute()
      .catch(() => null)
    if (rows === null) return
    const goingOn = new Set(rows.filter((row) => !row.cancel_requested).map(({ id }) => id))
    // One that is not there any more went with its conversation.
    for (const id of ids) if (!goingOn.has(id)) this.cancel(id)
  }
}

const hasBegun = (beginning: Beginning | undefined): Promise<boolean> =>
  beginning?.send().then(
    () => true,
    () => false,
  ) ?? Promise.resolve(true)

/** What comes in one packet with the end is not worth a commit of its own. */
function onFirstEvent(turn: LiveTurn, then: () => void): void {
  const stopListening = turn.subscribe(() => {
    stopListening()
    setImmediate(then)
  })
}

const waitingFor = (beginning: Beginning, run: PreparedRun): PreparedRun => ({
  ...run,
  tools: run.tools.map((tool) => ({
    ...tool,
    async run(input, signal) {
      await beginning.send()
      return tool.run(input, signal)
    },
  })),
})

function explain(error: unknown): [ErrorCode, string] {
  if (error instanceof Problem) return [error.code, error.message]
  if (error instanceof ProviderError)
    return [error.kind === 'timeout' ? 'provider_timeout' : 'provider_error', error.message]
  return ['internal_error', 'Something failed inside the service; the log says what.']
}

const known = new WeakMap<Context, Turns>()

export function turnsOf(ctx: Context): Turns {
  let turns = known.get(ctx)
  if (!turns) {
    turns = new Turns(ctx)
    known.set(ctx, turns)
  }
  return turns
}
