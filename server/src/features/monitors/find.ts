import type { Context } from '../../kernel/context.ts'
import { lowestId } from '../../kernel/ids.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { minute } from '../../kernel/time.ts'
import { findReplies, type ReplyFacts, repliesAfter } from '../conversations/scored-replies.ts'
import { isSampled } from './sample.ts'
import { changeState } from './store.ts'

export const scoreQueue = 'monitors.score'
export interface ScorePayload {
  monitor: string
  message: string
}

/** The ids of other nodes may be this much older when they are committed. */
const lag = minute
const batchSize = 1000

interface Watch {
  id: string
  workspace_id: string
  agent_id: string
  sample_rate: number
  looked_until: string
}

/**
 * Queues the replies in the samples of all monitors. Replies are found by their ids, which are in the order of time, so a
 * turn does nothing for it. Without a monitor this is one query of an empty table.
 */
export async function findSampled(ctx: Context, signal: AbortSignal): Promise<void> {
  const watches: Watch[] = await ctx.db
    .selectFrom('monitor')
    .select(['id', 'workspace_id', 'agent_id', 'sample_rate', 'looked_until'])
    .where('sample_rate', '>', 0)
    .execute()
  if (watches.length === 0) return
  await queueEnded(ctx, signal)
  const workspaces = [...new Set(watches.map(({ workspace_id }) => workspace_id))]
  const settled = lowestId('msg', ctx.now() - lag)
  let after = earliest(watches.map(({ looked_until }) => looked_until))
  for (;;) {
    const replies = await repliesAfter(ctx.db, workspaces, after, batchSize)
    await queueSampled(ctx, watches, replies)
    const isLast = replies.length < batchSize
    after = isLast ? settled : (replies.at(-1)?.id ?? after)
    await lookedUntil(ctx, earliest([after, settled]))
    if (isLast) return
    signal.throwIfAborted()
  }
}

const earliest = (ids: string[]): string => ids.toSorted()[0] ?? ''

async function lookedUntil(ctx: Context, id: string): Promise<void> {
  await ctx.db
    .updateTable('monitor')
    .set({ looked_until: id })
    // Every other tick finds next to nothing new, and need not write.
    .where('looked_until', '<', lowestId('msg', ctx.now() - 2 * lag))
    .where('looked_until', '<', id)
    .execute()
}

async function queueSampled(ctx: Context, watches: Watch[], replies: ReplyFacts[]): Promise<void> {
  const found = replies.flatMap((reply) =>
    watches
      .filter((watch) => watch.workspace_id === reply.workspace_id && watch.looked_until < reply.id)
      .filter((watch) => isUnfinished(reply) || (watch.agent_id === reply.agent_id && reply.status === 'completed'))
      .filter((watch) => isSampled(reply.id, watch.sample_rate))
      .map((watch) => ({ watch, reply })),
  )
  const known = await knownReplies(
    ctx,
    found.map(({ reply }) => reply.id),
  )
  for (const { watch, reply } of found) {
    if (known.has(`${watch.id} ${reply.id}`)) continue
    await inTransaction(ctx.db, async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('monitor_reply')
        .values({
          monitor_id: watch.id,
          message_id: reply.id,
          workspace_id: reply.workspace_id,
          state: isUnfinished(reply) ? 'waiting' : 'queued',
          replied_at: reply.timestamp,
        })
        .onConflict((on) => on.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows && !isUnfinished(reply))
        await ctx.jobs.enqueue(tx, scoreQueue, {
          workspace: reply.workspace_id,
          payload: { monitor: watch.id, message: reply.id } satisfies ScorePayload,
        })
    }).catch((error) => {
      // The monitor or the reply may have been deleted meanwhile.
      ctx.log.warn({ err: error, monitor: watch.id, message: reply.id }, 'a reply could not be queued for scoring')
    })
  }
}

/** A reply that runs or waits may still be handed to another agent. */
const isUnfinished = ({ status }: ReplyFacts): boolean => status === 'running' || status.startsWith('awaiting_')

async function knownReplies(ctx: Context, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await ctx.db
    .selectFrom('monitor_reply')
    .select(['monitor_id', 'message_id'])
    .where('message_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ monitor_id, message_id }) => `${monitor_id} ${message_id}`))
}

interface Waiting {
  monitor_id: string
  message_id: string
  workspace_id: string
  agent_id: string
}

/** Queues the replies that had not ended when they were found. Any number of them may wait for days for an approval. */
async function queueEnded(ctx: Context, signal: AbortSignal): Promise<void> {
  for (let last: Pick<Waiting, 'message_id' | 'monitor_id'> = { message_id: '', monitor_id: '' }; ; ) {
    const { message_id, monitor_id } = last
    const waiting: Waiting[] = await ctx.db
      .selectFrom('monitor_reply')
      .innerJoin('monitor', 'monitor.id', 'monitor_reply.monitor_id')
      .select(['monitor_reply.monitor_id', 'message_id', 'monitor_reply.workspace_id', 'agent_id'])
      .where('state', '=', 'waiting')
      .where((is) =>
        is.or([
          is('message_id', '>', message_id),
          is.and([is('message_id', '=', message_id), is('monitor_reply.monitor_id', '>', monitor_id)]),
        ]),
      )
      .orderBy('message_id')
      .orderBy('monitor_reply.monitor_id')
      .limit(batchSize)
      .execute()
    for (const [workspace, rows] of Map.groupBy(waiting, ({ workspace_id }) => workspace_id))
      await queueEndedIn(ctx, workspace, rows)
    if (waiting.length < batchSize) return
    last = waiting.at(-1) ?? last
    signal.throwIfAborted()
  }
}

async function queueEndedIn(ctx: Context, workspace: string, rows: Waiting[]): Promise<void> {
  const ids = rows.map(({ message_id }) => message_id)
  const byId = new Map((await findReplies(ctx.db, workspace, ids)).map((reply) => [reply.id, reply]))
  for (const row of rows) {
    const reply = byId.get(row.message_id)
    if (reply && isUnfinished(reply)) continue
    await inTransaction(ctx.db, async (tx) => {
      if (reply?.status !== 'completed' || reply.agent_id !== row.agent_id) {
        await tx
          .deleteFrom('monitor_reply')
          .where('workspace_id', '=', workspace)
          .where('monitor_id', '=', row.monitor_id)
          .where('message_id', '=', row.message_id)
          .execute()
      } else if (await changeState(tx, row, 'waiting', 'queued'))
        await ctx.jobs.enqueue(tx, scoreQueue, {
          workspace,
          payload: { monitor: row.monitor_id, message: row.message_id } satisfies ScorePayload,
        })
    })
  }
}
