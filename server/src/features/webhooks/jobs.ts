import type { Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { minute, second } from '../../kernel/time.ts'
import { attempt, deliveryQueue, enqueueDelivery } from './deliver.ts'
import { Dispatcher, type Receiver } from './dispatcher.ts'
import { webhooks } from './service.ts'
import { claimDue, failPending, overdue, releaseClaim, releaseDeadClaims } from './store.ts'

/** How many deliveries are sent to one receiver in parallel. */
const batchSize = 4

export const createDispatcher = (ctx: Context): Dispatcher =>
  new Dispatcher({
    send: (receiver, signal) => sendBatch(ctx, receiver, signal),
    handOver: ({ workspace, webhook }) =>
      inTransaction(ctx.db, async (tx) => void (await enqueueDelivery(ctx, tx, workspace, webhook, second))),
    onError: ({ webhook }, error) => ctx.log.error({ err: error, webhook }, 'webhook delivery failed'),
  })

/** Sends a batch of due deliveries. Returns whether there were any. */
async function sendBatch(ctx: Context, { workspace, webhook: id }: Receiver, signal: AbortSignal): Promise<boolean> {
  const due = await claimDue(ctx, workspace, id, batchSize)
  const webhook = due.length > 0 ? await webhooks.find(ctx.db, { workspace }, id) : undefined
  if (!webhook) return false
  const results = await Promise.allSettled(
    due.map(async (delivery) => {
      if (webhook.enabled || delivery.manual) await attempt(ctx, workspace, webhook, delivery, signal)
      else await releaseClaim(ctx.db, delivery.id)
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
  if (!webhook.enabled) await failPending(ctx.db, ctx, workspace, id)
  return true
}

/** Finds deliveries whose job or process was lost. */
async function enqueueLost(ctx: Context, since: number): Promise<void> {
  await enqueueAll(ctx, [...(await releaseDeadClaims(ctx)), ...(await overdue(ctx, since))])
}

async function enqueueAll(ctx: Context, lost: Awaited<ReturnType<typeof overdue>>): Promise<void> {
  const receivers = new Map(lost.map((receiver) => [receiver.webhook_id, receiver]))
  for (const { workspace_id, webhook_id } of receivers.values()) {
    await inTransaction(ctx.db, (tx) => enqueueDelivery(ctx, tx, workspace_id, webhook_id))
  }
}

/** A delivery job only wakes the dispatcher, so that no worker waits for a receiver. */
export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: deliveryQueue,
    concurrency: 10,
    attempts: 100,
    run: ({ workspace, payload }) =>
      ctx.state.webhooks.wake({ workspace: workspace ?? '', webhook: (payload as { webhook: string }).webhook }),
  })
  ctx.jobs.define({
    queue: 'webhooks.overdue',
    every: minute,
    run: () => enqueueLost(ctx, ctx.now() - 30 * second),
  })
  ctx.nodes.onLoss(() => {
    releaseDeadClaims(ctx)
      .then((lost) => enqueueAll(ctx, lost))
      .catch((error) => ctx.log.warn({ err: error }, 'could not take over the deliveries of dead nodes'))
  })
}

/** No other process uses SQLite, so everything due is left from before the start. */
export async function resumeDeliveries(ctx: Context): Promise<void> {
  if (ctx.engine === 'sqlite') await enqueueLost(ctx, ctx.now())
}
