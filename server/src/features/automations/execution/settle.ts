import { refusalText } from '../../../kernel/agent/approval.ts'
import { isWaiting } from '../../../kernel/agent/needs.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import { withChildReplies } from '../../conversations/children/replies.ts'
import { conversations, storedMessage } from '../../conversations/service.ts'
import { isOver } from '../../runs/events.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { nanoDollars } from '../../usage/cost.ts'
import type { Owner } from '../owner.ts'
import { activeInLane, findRun, isActive, lockRun, presentRun, type RunRow, updateRun } from '../runs/store.ts'
import { type ScheduleRow, schedules } from '../schedules/service.ts'
import { triggers } from '../triggers/service.ts'

export const startQueue = 'automations.start'
export interface StartPayload {
  run: string
}

export const enqueueStart = (ctx: Context, tx: Db, workspace: string, run: string): Promise<string> =>
  ctx.jobs.enqueue(tx, startQueue, { workspace, payload: { run } satisfies StartPayload })

/** Failures in a row after which a schedule is disabled. */
const maxFailures = 10

export interface Outcome {
  status: 'succeeded' | 'failed' | 'skipped'
  code?: string | null
  error?: string | null
  cost?: number
  unpriced_requests?: number
  reply?: string | null
}

const isSchedule = (owner: string): boolean => owner.startsWith('sch_')

/** The schedule or trigger of a run, locked. It is locked before its runs, always. */
export const lockOwner = async (tx: Db, workspace: string, id: string): Promise<Owner | undefined> =>
  isSchedule(id) ? schedules.table.lock(tx, workspace, id) : triggers.table.lock(tx, workspace, id)

export const findOwner = async (db: Db, workspace: string, id: string): Promise<Owner | undefined> =>
  isSchedule(id) ? schedules.table.find(db, workspace, id) : triggers.table.find(db, workspace, id)

/** Ends a run that has not ended, publishes its event and starts the next one of its lane, in one transaction. */
export const settle = (ctx: Context, db: Db, { workspace_id, id, owner_id }: RunRow, outcome: Outcome): Promise<void> =>
  inTransaction(db, async (tx) => {
    const owner = await lockOwner(tx, workspace_id, owner_id)
    const run = await lockRun(tx, workspace_id, id)
    if (!owner || !run || !isActive(run)) return
    const { status, code = null, error = null, cost = 0, unpriced_requests = 0, reply = null } = outcome
    const finished_at = timestamp(ctx.now())
    const billed = { cost_nano: nanoDollars(cost), unpriced_requests }
    const ended = await updateRun(ctx, tx, run, { status, code, error, ...billed, finished_at })
    if (status !== 'skipped') await publishEnd(ctx, tx, owner, ended, reply)
    if (isSchedule(owner.id)) await countFailures(ctx, tx, workspace_id, owner as ScheduleRow, outcome)
    const [next] = await activeInLane(tx, workspace_id, run.lane)
    if (next?.status === 'queued') await enqueueStart(ctx, tx, workspace_id, next.id)
  })

async function publishEnd(ctx: Context, tx: Db, owner: Owner, row: RunRow, reply: string | null): Promise<void> {
  const { id, name, actor_user: user_id } = owner
  const { body, waiting_for: _, ...run } = presentRun(row)
  const workspace = row.workspace_id
  if (isSchedule(id))
    await ctx.events.publish(tx, {
      workspace,
      type: 'schedule.run_finished',
      data: { schedule: { id, name }, run, reply, user_id },
    })
  else
    await ctx.events.publish(tx, {
      workspace,
      type: 'trigger.run_finished',
      data: { trigger: { id, name }, run: { ...run, body }, reply, user_id },
    })
}

/** Disables a schedule after too many failures in a row. Its state is no change of the resource unless that happens. */
async function countFailures(
  ctx: Context,
  tx: Db,
  workspace: string,
  row: ScheduleRow,
  outcome: Outcome,
): Promise<void> {
  if (outcome.status === 'skipped' || (outcome.status === 'succeeded' && row.failures === 0)) return
  const failures = outcome.status === 'failed' ? row.failures + 1 : 0
  const isPaused = failures >= maxFailures && row.enabled
  const error = outcome.error ?? null
  const paused = {
    enabled: false,
    next_run_at: null,
    disabled_reason: `${failures} runs in a row have failed. The last error: ${error ?? 'unknown'}`,
    revision: row.revision + 1,
    updated_at: timestamp(ctx.now()),
  }
  await schedules.table.update(tx, workspace, row.id, { failures, ...(isPaused && paused) })
  if (!isPaused) return
  const { id, name } = row
  const data = { schedule: { id, name }, failures, error }
  await ctx.events.publish(tx, { workspace, type: 'schedule.paused', data })
}

/** Ends a run as its reply has ended. A reply that goes on leaves it as it is. */
export async function settleByReply(ctx: Context, run: RunRow): Promise<void> {
  const { workspace_id, conversation_id, message_id } = run
  const conversation = await conversations.table.find(ctx.db, workspace_id, conversation_id ?? '')
  const reply = conversation && (await storedMessage(ctx, conversation, message_id ?? '').catch(() => undefined))
  if (!reply) return settle(ctx, ctx.db, run, { status: 'failed', code: 'not_found', error: 'The reply was deleted.' })
  if (isWaiting(reply.status)) await markWaiting(ctx, ctx.db, workspace_id, reply.id)
  if (!isOver(reply)) return
  const replies = await withChildReplies(ctx, reply)
  const cost = replies.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0)
  const unpriced_requests = replies.reduce((sum, { usage }) => sum + (usage?.unpriced_requests ?? 0), 0)
  await settle(ctx, ctx.db, run, { ...outcome(reply, replies), cost, unpriced_requests })
}

/** A run waits for a person from the transaction on in which its reply does. */
export async function markWaiting({ now }: Context, db: Db, workspace: string, messageId: string): Promise<void> {
  await db
    .updateTable('automation_run')
    .set({ status: 'awaiting_approval', updated_at: timestamp(now()) })
    .where('workspace_id', '=', workspace)
    .where('message_id', '=', messageId)
    .where('status', '=', 'running')
    .execute()
}

/** `replies` has the reply itself and the replies of agents that it asked. */
function outcome(reply: MessageRow, replies: MessageRow[]): Outcome {
  const { status, content } = reply
  if (status === 'cancelled') return { status: 'failed', code: 'cancelled', error: 'The reply was cancelled.' }
  if (status !== 'completed')
    return {
      status: 'failed',
      code: reply.code ?? 'internal_error',
      error: reply.error ?? 'The reply was interrupted.',
    }
  const calls = replies.flatMap(({ tool_calls }) => tool_calls)
  const refused = calls.find((call) => call.status === 'refused' || call.approved === false)
  if (!refused) return { status: 'succeeded', reply: content }
  const { name, connection, inputs = [] } = refused
  const failed = (code: string, what: string) => ({ code, error: `The call of "${name}" was ${what}.` })
  const isExpired = refused.result === refusalText({ status: 'expired' })
  return {
    status: 'failed',
    ...(connection?.status === 'expired'
      ? failed('connection_expired', 'not made: nobody connected its account in time')
      : inputs.at(-1)?.action === 'expired'
        ? failed('input_expired', 'not made: nobody answered its question in time')
        : isExpired
          ? failed('approval_expired', 'not approved in time')
          : failed('tool_refused', 'refused')),
    reply: content,
  }
}

/** Follows a reply that goes on after an approval, if it belongs to a run. */
export async function followResumed(ctx: Context, { id, workspace_id }: MessageRow, finished: Promise<unknown>) {
  const row = await ctx.db
    .updateTable('automation_run')
    .set({ status: 'running', updated_at: timestamp(ctx.now()) })
    .where('workspace_id', '=', workspace_id)
    .where('message_id', '=', id)
    .where('status', '=', 'awaiting_approval')
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  await finished
  const run = await findRun(ctx.db, workspace_id, row.id)
  if (run) await settleByReply(ctx, run)
}
