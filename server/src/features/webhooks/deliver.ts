import type { Context } from '../../kernel/context.ts'
import { reason } from '../../kernel/errors.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { second, timestamp } from '../../kernel/time.ts'
import { maxFailingMs, retryDelay } from './schedule.ts'
import { signedHeaders } from './signature.ts'
import { type DeliveryRow, deliveries, failPending, releaseClaim, type WebhookRow, webhookSecret } from './store.ts'

export const deliveryQueue = 'webhooks.deliver'

const timeout = 15 * second
const maxResponseBytes = 8 * 1024
const maxResponseLength = 2000

interface Outcome {
  status: number | null
  body: string | null
  error: string | null
  latency: number
}

/** Enqueues a job that sends what is due for a webhook. */
export const enqueueDelivery = (ctx: Context, tx: Db, workspace: string, webhook: string, delay = 0): Promise<string> =>
  ctx.jobs.enqueue(tx, deliveryQueue, { workspace, payload: { webhook }, delay })

/** Sends a delivery once and stores the outcome. */
export async function attempt(
  ctx: Context,
  workspace: string,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  signal?: AbortSignal,
): Promise<DeliveryRow> {
  let outcome: Outcome
  try {
    outcome = await send(ctx, workspace, webhook, delivery, signal)
  } catch (error) {
    await releaseClaim(ctx.db, delivery.id) // the process is stopping: another one continues
    throw error
  }
  return inTransaction(ctx.db, (tx) => record(ctx, tx, workspace, webhook.id, delivery, outcome))
}

async function send(
  ctx: Context,
  workspace: string,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const started = performance.now()
  const latency = () => Math.round(performance.now() - started)
  const body = delivery.request_body
  const at = Math.floor(ctx.now() / second)
  const headers = signedHeaders({
    id: delivery.event_id,
    timestamp: at,
    body,
    secrets: webhookSecret.open(ctx, workspace, webhook),
  })
  try {
    const answer = await ctx.egress.request(webhook.url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': `Parley-Webhooks/${ctx.version}` },
      body,
      timeout,
      maxBytes: maxResponseBytes,
      truncate: true,
      ...(signal && { signal }),
    })
    return {
      status: answer.status,
      body: answer.body.toString('utf8').replaceAll('\0', '').slice(0, maxResponseLength),
      error: errorFor(answer.status),
      latency: latency(),
    }
  } catch (error) {
    signal?.throwIfAborted()
    return { status: null, body: null, error: reason(error), latency: latency() }
  }
}

function errorFor(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `It answered ${status}, and redirects are not followed.`
  return `It answered ${status}.`
}

async function record(
  ctx: Context,
  tx: Db,
  workspace: string,
  webhookId: string,
  delivery: DeliveryRow,
  outcome: Outcome,
): Promise<DeliveryRow> {
  const isDelivered = outcome.error === null
  const stillEnabled = isDelivered
    ? await recordSuccess(tx, workspace, webhookId)
    : await recordFailure(ctx, tx, workspace, webhookId, outcome)
  const attempts = delivery.attempts + 1
  const mayRetry = !isDelivered && stillEnabled && delivery.event !== 'webhook.test'
  const wait = mayRetry ? retryDelay(attempts - delivery.round_began_at, ctx.random) : null
  const now = ctx.now()
  const changes: Partial<DeliveryRow> = {
    status: isDelivered ? 'delivered' : wait === null ? 'failed' : 'pending',
    attempts,
    claimed_until: null,
    claimed_by: null,
    due_at: wait === null ? null : now + wait,
    next_attempt_at: wait === null ? null : timestamp(now + wait),
    last_attempt_at: timestamp(now),
    delivered_at: isDelivered ? timestamp(now) : delivery.delivered_at,
    response_status: outcome.status,
    response_body: outcome.body,
    error: outcome.error,
    latency_ms: outcome.latency,
    revision: delivery.revision + 1,
    updated_at: timestamp(now),
  }
  const { numUpdatedRows } = await tx
    .updateTable('webhook_delivery')
    .set(changes)
    .where('id', '=', delivery.id)
    .where('attempts', '=', delivery.attempts)
    .executeTakeFirst()
  if (wait !== null && numUpdatedRows > 0n) await enqueueDelivery(ctx, tx, workspace, webhookId, wait)
  return (await deliveries.find(tx, workspace, delivery.id)) ?? { ...delivery, ...changes }
}

async function recordSuccess(tx: Db, workspace: string, id: string): Promise<boolean> {
  await tx
    .updateTable('webhook')
    .set({ failing_since: null })
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute()
  return true
}

/** Records since when a receiver has failed, and disables it after `maxFailingMs`. Returns whether it is still enabled. */
async function recordFailure(ctx: Context, tx: Db, workspace: string, id: string, outcome: Outcome): Promise<boolean> {
  const at = timestamp(ctx.now())
  const own = tx.updateTable('webhook').where('workspace_id', '=', workspace).where('id', '=', id)
  const webhook = await own
    .set((is) => ({ failing_since: is.fn.coalesce('failing_since', is.val(at)) }))
    .returning(['enabled', 'failing_since'])
    .executeTakeFirst()
  if (!webhook?.enabled) return false
  const isGone = outcome.status === 410
  const failingFor = ctx.now() - Date.parse(webhook.failing_since ?? at)
  if (!isGone && failingFor < maxFailingMs) return true
  const disabled_reason = isGone
    ? 'The receiver answered 410 Gone.'
    : `Every delivery since ${webhook.failing_since} has failed.`
  await own
    .set((is) => ({ enabled: false, disabled_reason, revision: is('revision', '+', 1), updated_at: at }))
    .execute()
  await failPending(tx, ctx, workspace, id)
  return false
}
