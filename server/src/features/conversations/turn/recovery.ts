import { sql } from 'kysely'
import type { ModelCall } from '../../../kernel/agent/loop.ts'
import { endStoredSteps, type StepFacts } from '../../../kernel/agent/steps.ts'
import type { Context } from '../../../kernel/context.ts'
import { releaseStarted } from '../../../kernel/http/idempotency-store.ts'
import { estimateUsage } from '../../../kernel/llm/estimate-usage.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import { Conflict } from '../../../kernel/store/commits.ts'
import { models } from '../../models/service.ts'
import { costOf } from '../../usage/cost.ts'
import { type Bill, bill, type Charge } from '../../usage/ledger.ts'
import { decode, type MessageRow, updateMessage } from '../message-row.ts'
import { readHistory } from '../store.ts'
import { maxHistoryMessages } from './history.ts'
import { applyJournal, deleteJournal, journalNodes, readJournal } from './journal.ts'
import { toolCallRows } from './tool-call-rows.ts'
import { addUsage, interruption } from './turn-store.ts'
import { deleteUnbilledCalls, findUnbilledCalls } from './unbilled-calls.ts'

/**
 * Ends turns whose process is gone: what was stored of the reply stays, and the conversation is free again. Others are left
 * alone until they have been silent for long.
 */
export async function recoverTurns(ctx: Context, silentSince: number): Promise<void> {
  const dead = await deadNodes(ctx)
  const running = ctx.db.selectFrom('message').selectAll().where('status', '=', sql.lit('running')) // a parameter would not match the partial index
  const found = await running
    .where((is) => is.or([is('alive_at', '<=', silentSince), ...(dead.length > 0 ? [is('node', 'in', dead)] : [])]))
    .execute()
  const lost = found.map(decode).filter(({ id }) => !ctx.state.conversations.find(id))
  const journal = await readJournal(ctx, [...new Set(lost.flatMap(({ node }) => node ?? []))])
  for (const message of lost) {
    applyJournal(message, journal)
    await interrupt(ctx, message).catch((error) => {
      if (!(error instanceof Conflict)) throw error // it has ended, or another node was first
    })
  }
  await deleteJournal(ctx, dead)
}

async function deadNodes(ctx: Context): Promise<string[]> {
  const running = await ctx.db
    .selectFrom('message')
    .select('node')
    .distinct()
    .where('status', '=', sql.lit('running'))
    .execute()
  const nodes = new Set([...running.flatMap(({ node }) => node ?? []), ...(await journalNodes(ctx))])
  nodes.delete(ctx.node)
  return ctx.nodes.dead([...nodes])
}

async function interrupt(ctx: Context, message: MessageRow): Promise<void> {
  const { id, conversation_id, workspace_id, content, events } = message
  const { rows, statements, openCall, sent } = await costSoFar(ctx, message)
  for (const call of message.tool_calls) {
    if (call.status === 'running')
      Object.assign(call, { status: 'failed', result: 'The service stopped during the call.' })
  }
  const changes = {
    ...interruption,
    content,
    events,
    alive_at: ctx.now(),
    tool_calls: message.tool_calls,
    steps: endStoredSteps(message.steps, { at: message.alive_at, failure: 'interrupted', openCall }),
    usage: addUsage(message.usage, rows),
  }
  await ctx.commits.commit([
    updateMessage(ctx, message, changes, 1),
    deleteUnbilledCalls(ctx, message),
    ...toolCallRows(ctx, message),
    releaseStarted(ctx, workspace_id, id),
    ctx.statements.update(
      'conversation',
      { running_message_id: null, last_message_id: id },
      { id: conversation_id, workspace_id, running_message_id: id },
    ),
    ...statements,
  ])
  sent()
  ctx.metrics.turnEnded('interrupted', null)
}

/** Bills the calls that were finished, and an estimate of the one that was not: the provider charges for it, too. */
async function costSoFar(ctx: Context, message: MessageRow): Promise<Bill & { openCall: StepFacts | null }> {
  const { id, conversation_id, workspace_id, agent_id, content } = message
  const who = { workspace: workspace_id, token: 'recovered' }
  const reserved = { holder: id, at: Date.parse(message.timestamp) }
  const runsAgain = message.evaluation_id !== null // a case is billed once, for the run that counts
  if (runsAgain) return { ...(await bill(ctx, who, {}, [], reserved)), openCall: null }
  const calls = (await findUnbilledCalls(ctx, message)) ?? { finished: [], open: await firstCall(ctx, message) }
  // What came before a pause for approval is in the ledger already.
  const known = calls.finished.reduce((sum, call) => sum + call.usage.output, message.usage?.output_tokens ?? 0)
  const shown = await estimateUsage(ctx.tokens, { messages: [], tools: [] }, content)
  const output = Math.max(0, shown.output - known)
  const open = calls.open && { ...calls.open, usage: { ...calls.open.usage, output } }
  const charges: Charge[] = []
  let openCall: StepFacts | null = null
  for (const call of [...calls.finished, ...(open ? [open] : [])]) {
    const { modelId, usage, estimated } = call
    const model = await models.find(ctx.db, who, modelId)
    if (!model) continue
    const { provider, model_id: name, pricing } = model
    charges.push({ kind: 'chat', modelId, provider, model: name, usage, estimated, price: pricing })
    if (call === open) openCall = { name, provider, modelId, usage, estimated, cost: costOf(usage, pricing) }
  }
  const { user_id: userId, evaluation_id: evaluationId } = message
  const purpose = { agentId: agent_id, conversationId: conversation_id, messageId: id, userId, evaluationId }
  return { ...(await bill(ctx, who, purpose, charges, reserved)), openCall }
}

/** The first call of a turn, which starts with it. A turn that was resumed after an approval has none. */
async function firstCall(ctx: Context, message: MessageRow): Promise<ModelCall | null> {
  const { id, conversation_id, workspace_id, model_id, usage } = message
  if (model_id === null || usage !== null) return null
  const before = await readHistory(ctx.db, workspace_id, conversation_id, maxHistoryMessages)
  const messages = before.filter((row) => row.id < id).map(({ role, content }): ModelMessage => ({ role, content }))
  return { modelId: model_id, usage: await estimateUsage(ctx.tokens, { messages, tools: [] }), estimated: true }
}
