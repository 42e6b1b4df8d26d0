import type { Context } from '../../kernel/context.ts'
import { enterRetention } from '../../kernel/retention.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { second } from '../../kernel/time.ts'
import { attempt, deliveryQueue, wake } from './deliver.ts'
import { webhooks } from './service.ts'
import { claimDue, giveUpWaiting, overdue, releaseClaim, removeDeliveries } from './store.ts'

enterRetention({ what: 'webhook deliveries', remove: removeDeliveries })

/** How many deliveries to one receiver are under way at once. */
const laneWidth = 4
/** A receiver with much to come gives way after this time, so that the others have their turn. */
const turnLasts = 20 * second

interface Lane {
  /** Something has come since it last looked. */
  again: boolean
}

const lanesOf = new WeakMap<Context, Map<string, Lane>>()

/**
 * Each receiver has one lane in a process: however slow it is and however much waits for it, it takes up one worker
 * and not more. A job that finds the lane busy leaves its delivery to it.
 */
async function runLane(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<void> {
  const lanes = lanesOf.get(ctx) ?? new Map<string, Lane>()
  lanesOf.set(ctx, lanes)
  const busy = lanes.get(id)
  if (busy) {
    busy.again = true
    return
  }
  const lane = { again: true }
  lanes.set(id, lane)
  const turnEnds = Date.now() + turnLasts
  try {
    while (lane.again) {
      lane.again = false
      lane.again = (await sendSome(ctx, workspace, id, signal)) || lane.again
      if (lane.again && Date.now() > turnEnds) {
        await inTransaction(ctx.db, (tx) => wake(ctx, tx, workspace, id))
        return
      }
    }
  } finally {
    lanes.delete(id)
  }
}

/** Whether there was something to send. */
async function sendSome(ctx: Context, workspace: string, id: string, signal: AbortSignal): Promise<boolean> {
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

/** Nothing waits for ever: what a lost job should have sent is found here. */
async function findOverdue(ctx: Context): Promise<void> {
  for (const { workspace_id, webhook_id } of await overdue(ctx, ctx.now() - 30 * second)) {
    await inTransaction(ctx.db, (tx) => wake(ctx, tx, workspace_id, webhook_id))
  }
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: deliveryQueue,
    concurrency: 10,
    attempts: 100,
    run: ({ workspace, payload, signal }) =>
      runLane(ctx, workspace ?? '', (payload as { webhook: string }).webhook, signal),
  })
  ctx.jobs.define({ queue: 'webhooks.overdue', every: 30 * second, run: () => findOverdue(ctx) })
}
