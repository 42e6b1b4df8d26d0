import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StepFacts } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { releaseStarted } from '../../../kernel/http/idempotency-store.ts'
import { estimateUsage } from '../../../kernel/llm/estimate-usage.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import { Conflict } from '../../../kernel/store/commits.ts'
import { watchOthers } from '../../../kernel/store/watch-others.ts'
import { second } from '../../../kernel/time.ts'
import { models } from '../../models/service.ts'
import { endingFor, Stopped } from '../../runs/ending.ts'
import { maxHistoryMessages } from '../../runs/history.ts'
import { addUsage, type MessageRow } from '../../runs/reply.ts'
import { billLostCalls, callingNodes, deleteCalls, findCalls, type Holder } from '../../usage/calls-under-way.ts'
import { knownCost } from '../../usage/cost.ts'
import { type Bill, bill, type Charge } from '../../usage/ledger.ts'
import { endedStored, endStored } from '../end-stored.ts'
import { readHistory } from '../history.ts'
import { decode } from '../message-row.ts'
import { findCallers } from '../store.ts'
import { applyJournal, deleteJournal, journalNodes, readJournal } from '../streaming/journal.ts'
import { allMessages, progressChannel } from '../streaming/remote-turns.ts'
import { cancelChildren } from '../waiting/waiting-replies.ts'

/** A running turn without a heartbeat for this long has lost its process, or the connection to it. */
export const silentWhenDead = 7 * second
const watchInterval = 3 * second
const idleWatchInterval = 15 * second
/** Nodes that could not reach the database for a while store a heartbeat by then. */
const observedFor = 2 * second

/**
 * Ends turns whose process is gone, or silent for longer than `silence`: what was stored of the reply stays, and the
 * conversation is free again. Returns whether other nodes have turns under way.
 */
export async function recoverTurns(ctx: Context, silence: number): Promise<boolean> {
  const working = await workingNodes(ctx)
  if (working.length === 0) return false
  const others = working.flatMap(({ node }) => (node === null || node === ctx.node ? [] : node))
  const dead = await ctx.nodes.dead(others)
  const silent = await silentTurns(ctx, silence)
  if (silent.length > 0 && silence > 0) await delay(observedFor)
  const found = await running(ctx)
    .selectAll()
    .where((is) =>
      is.or([
        is.and([is('alive_at', '<=', ctx.now() - silence), is('id', 'in', silent.length > 0 ? silent : [''])]),
        ...(dead.length > 0 ? [is('node', 'in', dead)] : []),
      ]),
    )
    .execute()
  const lost = found.map(decode).filter(({ id }) => !ctx.state.runs.find(id))
  const nodes = [...new Set(lost.flatMap(({ node }) => node ?? []))]
  const journal = await readJournal(ctx, nodes)
  for (const message of lost) {
    applyJournal(message, journal)
    await interrupt(ctx, message).catch((error) => {
      if (!(error instanceof Conflict)) throw error // it has ended, or another node was first
    })
  }
  await billLostCalls(ctx, 'conversations') // the rest is of conversations that were deleted
  for (const node of nodes) ctx.signals.send(progressChannel(node), allMessages)
  await deleteJournal(ctx, dead)
  return others.length > 0
}

/** Ends the turns of other nodes that have died. Returns the function that stops it. */
export const watchTurns = (ctx: Context): (() => void) =>
  watchOthers({
    ...ctx,
    interval: watchInterval,
    idleInterval: idleWatchInterval,
    what: 'turns',
    look: () => recoverTurns(ctx, silentWhenDead),
  })

/** A parameter would not match the partial index. */
const running = ({ db }: Context) => db.selectFrom('message').where('status', '=', sql.lit('running'))

async function silentTurns(ctx: Context, silence: number): Promise<string[]> {
  const rows = await running(ctx)
    .select('id')
    .where('alive_at', '<=', ctx.now() - silence)
    .execute()
  return rows.map(({ id }) => id)
}

/** The nodes with a running turn, a journal or an unbilled call. One query, because usually there are none. */
const workingNodes = (ctx: Context): Promise<{ node: string | null }[]> =>
  running(ctx)
    .select('node')
    .union(journalNodes(ctx))
    .union(callingNodes(ctx, 'conversations').$castTo<{ node: string | null }>())
    .execute()

async function interrupt(ctx: Context, message: MessageRow): Promise<void> {
  const { id, workspace_id } = message
  await cancelChildren(ctx, serviceIn(workspace_id), message)
  const { charges, statements, openCall, sent } = await costSoFar(ctx, message)
  message.usage = addUsage(message.usage, charges)
  const ending = endingFor(new Stopped('interrupted', 'The service stopped while it was answering.'))
  await ctx.commits.commit([
    ...endStored(ctx, message, ending, { at: message.alive_at, openCall }),
    deleteCalls(ctx, toHolder(message)),
    releaseStarted(ctx, workspace_id, id),
    ...statements,
  ])
  sent()
  endedStored(ctx, message, ending)
}

/** The service itself. */
const serviceIn = (workspace: string): Caller => ({
  workspace,
  role: 'admin',
  token: 'recovered',
  userId: null,
  groups: [],
  rateLimit: null,
})

const toHolder = ({ id, workspace_id }: MessageRow): Holder => ({ holder: id, workspace: workspace_id })

interface CostSoFar extends Bill {
  charges: Charge[]
  openCall: StepFacts | null
}

/** Bills the calls that were finished, and an estimate of the one that was not: the provider charges for it, too. */
async function costSoFar(ctx: Context, message: MessageRow): Promise<CostSoFar> {
  const { id, conversation_id, workspace_id, agent_id, content } = message
  const who = { workspace: workspace_id, token: 'recovered' }
  const reserved = { holder: id, at: Date.parse(message.timestamp) }
  const runsAgain = message.evaluation_id !== null // a case is billed once, for the run that counts
  if (runsAgain) return { ...(await bill(ctx, who, {}, [], reserved)), charges: [], openCall: null }
  const calls = (await findCalls(ctx, toHolder(message))) ?? { finished: [], open: await firstCall(ctx, message) }
  // Output from before a pause for approval is in the ledger already, so it is not billed again.
  const known = calls.finished.reduce((sum, call) => sum + call.usage.output, message.usage?.output_tokens ?? 0)
  const shown = await estimateUsage(ctx.tokens, { messages: [], tools: [] }, content)
  const output = Math.max(0, shown.output - known)
  const open = calls.open && { ...calls.open, usage: { ...calls.open.usage, output } }
  const charges = [...calls.finished, ...(open ? [open] : [])]
  const { user_id: userId, evaluation_id: evaluationId } = message
  const callers = await findCallers(ctx.db, workspace_id, conversation_id)
  const purpose = { agentId: agent_id, conversationId: conversation_id, messageId: id, userId, evaluationId, callers }
  return { ...(await bill(ctx, who, purpose, charges, reserved)), charges, openCall: open && stepFacts(open) }
}

const stepFacts = ({ model: name, provider, modelId, usage, estimated, price }: Charge): StepFacts => ({
  name,
  provider,
  modelId,
  usage,
  estimated,
  cost: knownCost(usage, price),
})

/** The first call of a turn, which starts with it. A turn that was resumed after an approval has none. */
async function firstCall(ctx: Context, message: MessageRow): Promise<Charge | null> {
  const { id, conversation_id, workspace_id, model_id: modelId, usage } = message
  if (modelId === null || usage !== null) return null
  const model = await models.find(ctx.db, { workspace: workspace_id }, modelId)
  if (!model) return null
  const before = await readHistory(ctx.db, workspace_id, conversation_id, maxHistoryMessages)
  const messages = before.filter((row) => row.id < id).map(({ role, content }): ModelMessage => ({ role, content }))
  const { provider, model_id, pricing: price } = model
  const asked = await estimateUsage(ctx.tokens, { messages, tools: [] })
  return { kind: 'chat', modelId, provider, model: model_id, price, usage: asked, estimated: true }
}
