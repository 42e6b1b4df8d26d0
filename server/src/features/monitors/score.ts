import { isDeepStrictEqual } from 'node:util'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { RunningJob } from '../../kernel/jobs/definition.ts'
import { oidcIdentity } from '../../kernel/personal-data.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import {
  addScores,
  findReplies,
  type ReplyFacts,
  readSeenReply,
  type SeenReply,
} from '../conversations/scored-replies.ts'
import { conversations } from '../conversations/service.ts'
import { type Applied, applyScorers } from '../evaluations/scorers/apply.ts'
import type { Observation, ScoringContext } from '../evaluations/scorers/scorer.ts'
import type { SettledScorer } from '../evaluations/scorers/scorers.ts'
import { mean } from '../evaluations/statistics.ts'
import { queueReview } from '../reviews/queue.ts'
import { findRights } from '../sessions/rights.ts'
import { nanoDollars } from '../usage/cost.ts'
import type { ScorePayload } from './find.ts'
import { isReviewed } from './sample.ts'
import { type MonitorRow, monitors } from './service.ts'
import { changeState, isQueued, lastScores, type ReplyState } from './store.ts'

/** A judge reads this many of the messages before a reply. */
const maxPast = 20
const maxPastLength = 50_000

/** Scores one reply in the sample of a monitor. Running again after a crash, it scores only what was not stored. */
export async function scoreReply(ctx: Context, { workspace, payload, signal }: RunningJob): Promise<void> {
  const { monitor: id, message } = payload as ScorePayload
  if (workspace === null) return
  const monitor = await monitors.find(ctx.db, { workspace }, id)
  const [reply] = await findReplies(ctx.db, workspace, [message])
  const conversation = reply && (await conversations.table.find(ctx.db, workspace, reply.conversation_id))
  if (!monitor || !reply || !conversation || !(await isQueued(ctx.db, workspace, id, message))) return
  const person = await findPerson(ctx, workspace, conversation.user_id)
  const seen = await readSeenReply(ctx, conversation, message, person, maxPast)
  if (!seen) return
  // A judge sees nothing that the person may not see. No person has seen the replies of agents that were asked as tools.
  const isHidden = seen.isMasked || conversation.parent_message_id !== null
  const scorers = monitor.scorers as SettledScorer[]
  const usable = isHidden ? scorers.filter((scorer) => !isJudge(scorer)) : scorers
  const applied = await applyScorers(usable, observe(seen), scoring(ctx, workspace, monitor, signal))
  await store(ctx, monitor, reply, applied, usable.length < scorers.length ? 'hidden' : stateAfter(applied))
}

/** The person of a conversation with their present rights. A conversation without one belongs to an unbound token. */
async function findPerson(ctx: Context, workspace: string, userId: string | null): Promise<Caller> {
  const person: Caller = { workspace, role: 'user', token: '', userId, groups: [], rateLimit: null }
  if (userId === null) return { ...person, role: 'editor' }
  return (
    (await findRights(ctx, person)) ?? (await findRights(ctx, { ...person, token: oidcIdentity(userId) })) ?? person
  )
}

const isJudge = ({ type }: { type: string }): boolean => type === 'llm_judge'

/** Each call of a judge is billed as it ends, so that one whose score cannot be stored counts towards the daily budget. */
const scoring = (ctx: Context, workspace: string, monitor: MonitorRow, signal: AbortSignal): ScoringContext => ({
  ctx,
  who: { workspace, role: 'editor', token: monitor.created_by, userId: null, groups: [], rateLimit: null },
  signal,
  purpose: {
    evaluationId: monitor.id,
    allowance: { id: monitor.id, name: monitor.name, limit: nanoDollars(monitor.daily_budget) },
  },
  slowPatterns: new Map(),
})

/** The conversation up to the reply, as the person has seen it. */
function observe({ reply, past }: SeenReply): Observation {
  const question = past.at(-1)?.content ?? ''
  const earlier = past
    .slice(0, -1)
    .map(({ role, content }) => `${role === 'user' ? 'Person' : 'Assistant'}: ${content}`)
  const before = earlier.join('\n\n').slice(-maxPastLength).toWellFormed()
  return {
    input: before === '' ? question : `Earlier in the conversation:\n${before}\n\nThe question:\n${question}`,
    expected: null,
    metadata: {},
    output: reply.content,
    toolCalls: reply.tool_calls,
    passages: [],
    latencyMs: reply.latency_ms ?? 0,
    tokens: reply.usage?.total_tokens ?? 0,
    costNano: nanoDollars(reply.usage?.cost ?? 0),
  }
}

function stateAfter({ errors }: Applied): ReplyState {
  const isOverBudget = errors.some(({ error }) => {
    const { cause } = error as Error
    return cause instanceof Problem && (cause.code === 'budget_exceeded' || cause.code === 'price_unknown')
  })
  return isOverBudget ? 'over_budget' : errors.length > 0 ? 'failed' : 'scored'
}

/** The scores, the review and the alert are one transaction. The lock on the monitor puts its replies in an order. */
async function store(
  ctx: Context,
  { id }: MonitorRow,
  reply: ReplyFacts,
  { scores, errors }: Applied,
  state: ReplyState,
): Promise<void> {
  for (const { scorer, message } of errors)
    ctx.log.warn({ monitor: id, message: reply.id, scorer, error: message }, 'a reply could not be scored')
  await inTransaction(ctx.db, async (tx) => {
    const monitor = await monitors.table.lock(tx, reply.workspace_id, id)
    const key = { workspace_id: reply.workspace_id, monitor_id: id }
    const shown = scores.map((score) => ({ monitor_id: id, ...score }))
    if (!monitor || !(await addScores(tx, reply, id, shown))) return
    if (!(await changeState(tx, { ...key, message_id: reply.id }, 'queued', state))) return
    await insertScores(ctx, tx, id, reply, scores)
    if (scores.some(({ passed }) => !passed)) await queueReview(ctx, tx, reply, 'low_score')
    else if (scores.length > 0 && isReviewed(reply.id, monitor.review_rate))
      await queueReview(ctx, tx, reply, 'sampled')
    if (monitor.alert) await alertIfBelow(ctx, tx, monitor, monitor.alert, reply, scores)
  })
}

async function insertScores(
  ctx: Context,
  tx: Db,
  monitor: string,
  reply: ReplyFacts,
  scores: Applied['scores'],
): Promise<void> {
  const created_at = timestamp(ctx.now())
  const rows = scores.map(({ scorer, score, passed }) => ({
    id: ctx.newId('msc'),
    workspace_id: reply.workspace_id,
    monitor_id: monitor,
    agent_id: reply.agent_id ?? '',
    agent_version: reply.agent_version,
    label: reply.label,
    conversation_id: reply.conversation_id,
    message_id: reply.id,
    scorer,
    score,
    passed,
    replied_at: reply.timestamp,
    revision: 1,
    created_at,
    updated_at: created_at,
  }))
  if (rows.length > 0) await tx.insertInto('monitor_score').values(rows).execute()
}

/** Publishes an event when the mean of a scorer falls below the limit, and again only after it has recovered. */
async function alertIfBelow(
  ctx: Context,
  tx: Db,
  { id, name, agent_id, alerting }: MonitorRow,
  { below, window }: NonNullable<MonitorRow['alert']>,
  reply: ReplyFacts,
  scores: Applied['scores'],
): Promise<void> {
  const low = new Set(alerting)
  for (const { scorer } of scores) {
    const last = await lastScores(tx, { workspace_id: reply.workspace_id, monitor_id: id, scorer }, window)
    if (last.length < window) continue
    const average = mean(last)
    if (average >= below) low.delete(scorer)
    else if (!low.has(scorer)) {
      low.add(scorer)
      await ctx.events.publish(tx, {
        workspace: reply.workspace_id,
        type: 'monitor.alert',
        data: {
          monitor: { id, name, agent_id },
          scorer,
          mean: average,
          below,
          window,
          message_id: reply.id,
          conversation_id: reply.conversation_id,
        },
      })
    }
  }
  const now = [...low].sort()
  if (!isDeepStrictEqual(now, alerting))
    await tx
      .updateTable('monitor')
      .set({ alerting: JSON.stringify(now) })
      .where('workspace_id', '=', reply.workspace_id)
      .where('id', '=', id)
      .execute()
}
