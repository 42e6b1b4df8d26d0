import type { Pause } from '../../../kernel/agent/approval.ts'
import { isWaiting } from '../../../kernel/agent/needs.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { HandedOn, Progress, Sink } from '../../runs/sink.ts'
import type { Purpose } from '../../usage/ledger.ts'
import { callersIn, findMessage } from '../store.ts'
import { type ApprovalRow, newApprovals } from '../waiting/approvals.ts'
import { cancelChildren, type WokenReply, wake } from '../waiting/waiting-replies.ts'
import { neededEvents } from './need-events.ts'
import type { Resumption } from './prepare.ts'
import { endStatements, handoffStatements, startStatements, type Waiting } from './turn-store.ts'

/** The purpose of the model calls of a turn, for their bill. */
export const turnPurpose = ({ conversation, reply }: Pick<Resumption, 'conversation' | 'reply'>): Purpose => ({
  agentId: reply.agent_id,
  conversationId: conversation.id,
  messageId: reply.id,
  userId: conversation.user_id,
  evaluationId: conversation.evaluation_id,
  ...(conversation.parent_message_id !== null && { callers: callersIn(conversation) }),
})

/** Whether the run ends while another agent still answers one of its calls. */
const hasOpenChildren = ({ status, tool_calls }: MessageRow): boolean =>
  !isWaiting(status) && tool_calls.some((call) => call.conversation_id !== undefined && call.status === 'running')

/** Keeps a run as a reply of a conversation, with its journal. */
export class ConversationSink implements Sink {
  readonly progress: Progress
  /** A case of an evaluation that is interrupted runs again. */
  readonly isRepeatable: boolean
  readonly isUnattended: boolean
  readonly #ctx: Context
  readonly #who: Caller
  #preparation: Resumption
  readonly #isResumed: boolean
  #waiting: Waiting | undefined
  #woken: WokenReply[] = []

  constructor(ctx: Context, who: Caller, preparation: Resumption, { isResumed = false } = {}) {
    const { progress } = ctx.state.conversations
    this.#ctx = ctx
    this.#who = who
    this.#preparation = preparation
    this.#isResumed = isResumed
    this.isRepeatable = this.isUnattended = preparation.reply.evaluation_id !== null
    this.progress = {
      keeper: 'conversations',
      knowsFirstCall: !isResumed,
      begin: (turn) => progress.begin(turn),
      storeCalls: (turn) => progress.storeCalls(turn),
      settle: async (turn) => {
        if (hasOpenChildren(turn.row)) await cancelChildren(ctx, who, turn.row)
        await progress.settle(turn)
      },
    }
  }

  start = (): Statement[] => (this.#isResumed ? [] : startStatements(this.#ctx, this.#preparation))

  pause(turn: Run, pause: Pause): void {
    const { pending } = pause
    const { facts, conversation } = this.#preparation
    const own = pending.filter(({ awaits, needs }) => !awaits && !needs)
    const approvals = newApprovals(
      this.#ctx,
      this.#who,
      turn.row,
      facts.agentName ?? null,
      own,
      callersIn(conversation),
    )
    turn.onWaiting(pending, approvals)
    turn.steps.start('approval', { toolCallIds: pending.map(({ id }) => id) })
    this.#waiting = { pause, approvals }
  }

  handOff(turn: Run, { run, facts, prices, usage }: HandedOn): Statement[] {
    this.#preparation = { ...this.#preparation, run, facts, prices }
    return handoffStatements(this.#ctx, turn, usage)
  }

  end = (turn: Run): Statement[] => endStatements(this.#ctx, this.#who, turn, this.#preparation, this.#waiting)

  async publish(tx: Db): Promise<void> {
    const { workspace } = this.#who
    for (const { revision, ...data } of this.#approvals())
      await this.#ctx.events.publish(tx, { workspace, type: 'approval.required', data })
    for (const event of neededEvents(this.#ctx, this.#preparation, this.#waiting?.pause.pending ?? []))
      await this.#ctx.events.publish(tx, { workspace, ...event })
    // Somebody may have decided for a child while this run still waited for another one.
    if (this.#waiting?.pause.pending.some(({ awaits }) => awaits)) this.#woken = await this.#wakeNow(tx)
  }

  async #wakeNow(tx: Db): Promise<WokenReply[]> {
    const row = await this.#find(tx)
    return row ? wake(this.#ctx, tx, [row]) : []
  }

  #approvals = (): ApprovalRow[] => this.#waiting?.approvals ?? []

  stored = (): Promise<MessageRow | undefined> => this.#find(this.#ctx.db)

  #find(db: Db): Promise<MessageRow | undefined> {
    const { workspace_id, conversation_id, id } = this.#preparation.reply
    return findMessage(db, workspace_id, conversation_id, id)
  }

  closed(turn: Run, how: 'stored' | 'ended by others' | 'failed'): void {
    const { histories, progress } = this.#ctx.state.conversations
    const { conversation, question } = this.#preparation
    progress.end(turn)
    if (this.#woken.length > 0) void this.#ctx.state.conversations.resumeWoken(this.#woken)
    // Results of the caller's tools are added to the reply later.
    const isWhole = how === 'stored' && question !== null && question.content !== '' && turn.handedOver === null
    if (!isWhole) histories.invalidate(conversation.id)
    else if (!this.#waiting) histories.extend(conversation.id, { question, reply: turn.row })
  }
}
