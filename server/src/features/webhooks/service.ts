import { isBound } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { DomainEvent } from '../../kernel/events.ts'
import { collection } from '../../kernel/store/collection.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { timestamp } from '../../kernel/time.ts'
import { attempt, enqueueDelivery } from './deliver.ts'
import type { SecretColumns } from './rotating-secret.ts'
import { type Delivery, Webhook } from './schema.ts'
import { newSecret } from './signature.ts'
import { type DeliveryRow, deliveries, failPending, insertDelivery, type WebhookRow, webhookSecret } from './store.ts'

const rows = collection<typeof Webhook, SecretColumns>({
  name: 'webhook',
  shape: Webhook,
  prefix: 'whk',
  kind: 'webhook',
  async complete({ ctx, tx, who, next, input, previous }) {
    if (next.url !== previous?.url) ctx.egress.check(next.url)
    if (!previous) {
      const secret = webhookSecret.first(ctx, who.workspace, next.id, input.secret as string)
      Object.assign(next, { disabled_reason: null, failing_since: null }, secret)
    }
    delete (next as { secret?: unknown }).secret
    if (next.enabled && previous?.enabled === false) Object.assign(next, { disabled_reason: null, failing_since: null })
    if (!next.enabled && previous?.enabled) await failPending(tx, ctx, who.workspace, next.id)
  },
})

/** Only this response contains the secret. */
async function create(ctx: Context, who: Caller, body: object): Promise<WebhookRow> {
  const secret = newSecret()
  return { ...(await rows.create(ctx, who, { ...body, secret })), secret }
}

export const webhooks = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  find: rows.find,
  list: rows.list,
  get: rows.get,
  create,
  update: rows.update,
  remove: rows.remove,
}

export const rotateSecret = (ctx: Context, who: Caller, id: string): Promise<WebhookRow> =>
  inTransaction(ctx.db, async (tx) => {
    const row = (await rows.table.lock(tx, who.workspace, id)) ?? notFound(rows.kind, id)
    const secret = newSecret()
    const changes = {
      ...webhookSecret.rotate(ctx, who.workspace, row, secret),
      revision: row.revision + 1,
      updated_at: timestamp(ctx.now()),
    }
    await rows.table.update(tx, who.workspace, id, changes)
    await ctx.audit.record(tx, who, { action: 'rotate-secret', kind: rows.kind, id })
    return { ...row, ...changes, secret }
  })

export async function listDeliveries(ctx: Context, who: Caller, id: string, query: ListQuery): Promise<Page<Delivery>> {
  await rows.get(ctx, who, id)
  const page = await deliveries.list(ctx.longReads, who.workspace, query, (all) => all.where('webhook_id', '=', id))
  if (!isBound(who)) return page
  return { ...page, rows: page.rows.map((row) => ({ ...row, request_body: null, response_body: null })) }
}

/** Sends an event again with the same id, and restarts its schedule. */
export async function redeliver(ctx: Context, who: Caller, id: string, deliveryId: string): Promise<DeliveryRow> {
  await rows.get(ctx, who, id)
  return inTransaction(ctx.db, async (tx) => {
    const delivery = await deliveries.lock(tx, who.workspace, deliveryId)
    if (delivery?.webhook_id !== id) return notFound('delivery', deliveryId)
    const now = ctx.now()
    const again: Partial<DeliveryRow> = {
      status: 'pending',
      manual: true,
      round_began_at: delivery.attempts,
      due_at: now,
      next_attempt_at: timestamp(now),
      revision: delivery.revision + 1,
      updated_at: timestamp(now),
    }
    await deliveries.update(tx, who.workspace, deliveryId, again)
    await enqueueDelivery(ctx, tx, who.workspace, id)
    await ctx.audit.record(tx, who, { action: 'redeliver', kind: rows.kind, id, part: deliveryId })
    return { ...delivery, ...again }
  })
}

/** Sends a test event immediately, even if the webhook is disabled. */
export async function sendTest(ctx: Context, who: Caller, id: string): Promise<DeliveryRow> {
  const webhook = await rows.get(ctx, who, id)
  const delivery = await insertDelivery(ctx, ctx.db, {
    workspace: who.workspace,
    webhook: id,
    eventId: ctx.newId('evt'),
    event: 'webhook.test',
    data: { webhook_id: id, message: 'This is a test event.' },
    manual: true,
    claimed: true,
  })
  return attempt(ctx, who.workspace, webhook, delivery)
}

/** Inserts a delivery for every webhook with the event, in the transaction of the event. */
export async function queueDeliveries(ctx: Context, tx: Db, event: DomainEvent): Promise<void> {
  const enabled = await tx
    .selectFrom('webhook')
    .select(['id', 'events'])
    .where('workspace_id', '=', event.workspace)
    .where('enabled', '=', true)
    .execute()
  const subscribed = enabled.filter(({ events }) => {
    const types = JSON.parse(events) as string[]
    return types.includes('*') || types.includes(event.type)
  })
  const eventId = subscribed.length > 0 ? ctx.newId('evt') : ''
  for (const { id } of subscribed) {
    await insertDelivery(ctx, tx, {
      workspace: event.workspace,
      webhook: id,
      eventId,
      event: event.type,
      data: event.data,
    })
    await enqueueDelivery(ctx, tx, event.workspace, id)
  }
}
