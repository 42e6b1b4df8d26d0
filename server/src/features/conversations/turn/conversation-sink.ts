import type { Pause } from '../../../kernel/agent/approval.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { Progress, Sink } from '../../runs/sink.ts'
import type { Purpose } from '../../usage/ledger.ts'
import { type ApprovalRow, newApprovals } from '../approvals/store.ts'
import { findMessage } from '../store.ts'
import type { Resumption } from './prepare.ts'
import { endStatements, startStatements, type Waiting } from './turn-store.ts'

/** The purpose of the model calls of a turn, for their bill. */
export const turnPurpose = ({ conversation, reply }: Pick<Resumption, 'conversation' | 'reply'>): Purpose => ({
  agentId: reply.agent_id,
  conversationId: conversation.id,
  messageId: reply.id,
  userId: conversation.user_id,
  evaluationId: conversation.evaluation_id,
})

/** Keeps a run as a reply of a conversation, with its journal. */
export class ConversationSink implements Sink {
  readonly progress: Progress
  readonly #ctx: Context
  readonly #who: Caller
  readonly #preparation: Resumption
  readonly #isResumed: boolean
  #waiting: Waiting | undefined

  constructor(ctx: Context, who: Caller, preparation: Resumption, { isResumed = false } = {}) {
    const { progress } = ctx.state.conversations
    this.#ctx = ctx
    this.#who = who
    this.#preparation = preparation
    this.#isResumed = isResumed
    this.progress = {
      knowsFirstCall: !isResumed,
      begin: (turn) => progress.begin(turn),
      storeCalls: (turn) => progress.storeCalls(turn),
      settle: (turn) => progress.settle(turn),
    }
  }

  start = (): Statement[] => (this.#isResumed ? [] : startStatements(this.#ctx, this.#preparation))

  /** A case of an evaluation that is interrupted runs again, and is billed for the run that counts. */
  isRepeated = ({ row }: Run): boolean => row.status === 'interrupted' && row.evaluation_id !== null

  pause(turn: Run, pause: Pause): void {
    const { pending } = pause
    const { agentName = null } = this.#preparation.facts
    const approvals = newApprovals(this.#ctx, this.#who, turn.row, agentName, pending)
    turn.onApprovalRequired(pending, approvals)
    turn.steps.start('approval', { toolCallIds: pending.map(({ id }) => id) })
    this.#waiting = { pause, approvals }
  }

  end = (turn: Run): Statement[] => endStatements(this.#ctx, this.#who, turn, this.#preparation, this.#waiting)

  async publish(tx: Db): Promise<void> {
    const { workspace } = this.#who
    for (const { revision, ...data } of this.#approvals())
      await this.#ctx.events.publish(tx, { workspace, type: 'approval.required', data })
  }

  #approvals = (): ApprovalRow[] => this.#waiting?.approvals ?? []

  stored(): Promise<MessageRow | undefined> {
    const { workspace_id, conversation_id, id } = this.#preparation.reply
    return findMessage(this.#ctx.db, workspace_id, conversation_id, id)
  }

  closed(turn: Run, how: 'stored' | 'ended by others' | 'failed'): void {
    const { histories, progress } = this.#ctx.state.conversations
    const { conversation, question } = this.#preparation
    progress.end(turn)
    // Results of the caller's tools are added to the reply later.
    const isWhole = how === 'stored' && question !== null && question.content !== '' && turn.handedOver === null
    if (!isWhole) histories.invalidate(conversation.id)
    else if (!this.#waiting) histories.extend(conversation.id, { question, reply: turn.row })
  }
}
