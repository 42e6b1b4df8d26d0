import type { Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { second } from '../../kernel/time.ts'
import { attempt, deliveryQueue, wake } from './deliver.ts'
import { createLanes, type Lanes, type Receiver } from './lanes.ts'
import { webhooks } from './service.ts'
import { claimDue, giveUpWaiting, overdue, releaseAllClaims, releaseClaim } from './store.ts'

/** How many deliveries to one receiver are under way at once. */
const laneWidth = 4

export const lanesFor = (ctx: Context): Lanes =>
  createLanes({
    send: (receiver, signal) => sendSome(ctx, receiver, signal),
    handOver: ({ workspace, webhook }) =>
      inTransaction(ctx.db, async (tx) => void (await wake(ctx, tx, workspace, webhook, second))),
    failed: ({ webhook }, error) => ctx.log.error({ err: error, webhook }, 'a delivery could not be made'),
  })

/** Whether there was something to send. */
async function sendSome(ctx: Context, { workspace, webhook: id }: Receiver, signal: AbortSignal): Promise<boolean> {
  const due = await claimDue(ctx, workspace, id, laneWidth)
  const webhook = due.length > 0 ? await webhooks.find(ctx.db, { workspace }, id) : undefined
  if (!webhook) return false
  const results = await Promise.allSettled(
    due.map(async (delivery) => {
      if (webhook.enabled || delivery.manual) await attempt(ctx, workspace, webhook, delivery, signal)
      else await releaseClaim(ctx.db, delivery.id)
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
  if (!webhook.enabled) await giveUpWaiting(ctx.db, ctx, workspace, id)
  return true
}

/** Nothing waits for ever: what nobody has sent, because a job or a process was lost, is found here. */
async function findOverdue(ctx: Context, since: number): Promise<void> {
  for (const { workspace_id, webhook_id } of await overdue(ctx, since)) {
    await inTransaction(ctx.db, (tx) => wake(ctx, tx, workspace_id, webhook_id))
  }
}

/** A job only wakes the lane of its receiver: the wait for an answer holds no worker. */
export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: deliveryQueue,
    concurrency: 10,
    attempts: 100,
    run: ({ workspace, payload }) =>
      ctx.state.webhooks.lanes.wake({ workspace: workspace ?? '', webhook: (payload as { webhook: string }).webhook }),
  })
  ctx.jobs.define({
    queue: 'webhooks.overdue',
    every: 30 * second,
    run: () => findOverdue(ctx, ctx.now() - 30 * second),
  })
}

/** A single process that has just started knows that nobody is sending anything, and takes it up. */
export async function takeUpAgain(ctx: Context): Promise<void> {
  if (ctx.engine !== 'sqlite') return
  await releaseAllClaims(ctx.db)
  await findOverdue(ctx, ctx.now())
}
