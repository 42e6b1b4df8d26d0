import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { minute, second } from '../../kernel/time.ts'
import { models } from '../models/service.ts'
import { ledgerEntry } from '../usage/ledger.ts'
import { completeNow } from './completion.ts'
import { farthestBack } from './history.ts'
import type { MessageRow } from './message-row.ts'
import { history } from './store.ts'
import { turnsOf } from './turns.ts'

const deadAfter = 30 * second
/** Completed in one transaction, which others wait for. */
const atOnce = 50

type LostMessage = Pick<
  MessageRow,
  'id' | 'conversation_id' | 'workspace_id' | 'agent_id' | 'model_id' | 'content' | 'usage'
> & { evaluation_id: string | null }

/** A turn whose process is gone keeps what was written down of it, and its conversation is free again. */
export async function recoverTurns(ctx: Context, silentSince: number): Promise<void> {
  const lost = await ctx.db
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .select([
      'message.id',
      'message.conversation_id',
      'message.workspace_id',
      'message.agent_id',
      'message.model_id',
      'message.content',
      'message.usage',
      'conversation.evaluation_id',
    ])
    .where('message.status', '=', 'running')
    .where('message.alive_at', '<=', silentSince)
    .execute()
  for (const cells of lost) {
    const message: LostMessage = { ...cells, usage: JSON.parse(cells.usage) }
    const { id, conversation_id, workspace_id } = message
    if (turnsOf(ctx).find(id)) continue
    const gone = {
      status: 'interrupted',
      finish_reason: 'interrupted',
      error: 'The service stopped while it was answering.',
    }
    await ctx.commits.commit([
      ctx.statements.update('message', gone, { id, workspace_id, status: 'running' }),
      ctx.statements.update(
        'conversation',
        { running_message_id: null, last_message_id: id },
        { id: conversation_id, workspace_id, running_message_id: id },
      ),
      ...(await estimatedCost(ctx, message)),
    ])
  }
}

const charactersPerToken = 4

/** The provider was asked and will be paid, but nobody heard what it counted. */
async function estimatedCost(ctx: Context, message: LostMessage): Promise<Statement[]> {
  const { id, conversation_id, workspace_id, model_id, agent_id, content } = message
  if (message.evaluation_id !== null) return [] // the case is run again, and is billed once: for the run that counts
  const model = model_id === null ? undefined : await models.find(ctx.db, { workspace: workspace_id }, model_id)
  if (!model) return []
  const before = await history(ctx.db, workspace_id, conversation_id, farthestBack)
  const asked = before.filter((row) => row.id < id).reduce((sum, row) => sum + row.content.length, 0)
  const tokens = (characters: number) => Math.ceil(characters / charactersPerToken)
  // What came before a pause for approval is in the ledger already.
  const output = Math.max(0, tokens(content.length) - (message.usage?.output_tokens ?? 0))
  const usage = { input: tokens(asked), cachedInput: 0, output, reasoning: 0 }
  const purpose = { agentId: agent_id, conversationId: conversation_id, messageId: id }
  const charge = { kind: 'chat', modelId: model.id, usage, estimated: true, price: model.pricing } as const
  return [ledgerEntry(ctx, { workspace: workspace_id, token: 'recovered' }, purpose, charge).statement]
}

/** Conversations that nobody has spoken in for long are completed. */
async function completeIdle(ctx: Context): Promise<void> {
  const idleSince = ctx.now() - ctx.config.conversationIdleMinutes * minute
  for (;;) {
    const idle = await ctx.db
      .selectFrom('conversation')
      .select(['id', 'workspace_id'])
      .where('status', '=', 'active')
      .where('running_message_id', 'is', null)
      .where('evaluation_id', 'is', null)
      .where('active_at', '<', idleSince)
      .limit(atOnce)
      .execute()
    if (idle.length === 0) return
    await inTransaction(ctx.db, async (tx) => {
      for (const { id, workspace_id } of idle)
        await completeNow(ctx, tx, { workspace: workspace_id, id, reason: 'idle', idleSince })
    })
  }
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({ queue: 'conversations.complete-idle', every: 30 * second, run: () => completeIdle(ctx) })
  ctx.jobs.define({
    queue: 'conversations.recover',
    every: 15 * second,
    run: () => recoverTurns(ctx, ctx.now() - deadAfter),
  })
}
