import type { Context } from '../../kernel/context.ts'
import { type Db, inTransaction, isPostgres } from '../../kernel/store/database.ts'
import { resourceTable, type Stored } from '../../kernel/store/table.ts'
import { second, timestamp } from '../../kernel/time.ts'
import { rotatingSecret, type SecretColumns } from './rotating-secret.ts'
import { Delivery, type Webhook } from './schema.ts'

export type WebhookRow = Stored<Webhook> & SecretColumns

type DeliveryState = {
  /** The number of attempts before the current schedule started, by the event or by a redelivery. */
  round_began_at: number
  /** A test or redelivery, which is sent even if the webhook is disabled. */
  manual: boolean
  due_at: number | null
  /** Until then a process is sending it. */
  claimed_until: number | null
  /** The process that has claimed it. */
  claimed_by: string | null
  request_body: string
}
export type DeliveryRow = Stored<Delivery> & DeliveryState

type Receiver = Pick<DeliveryRow, 'webhook_id'> & { workspace_id: string }

declare module '../../kernel/store/database.ts' {
  interface Tables {
    webhook: Omit<WebhookRow, 'events' | 'secret'> & { workspace_id: string; events: string }
    webhook_delivery: DeliveryRow & { workspace_id: string }
  }
}

export const webhookSecret = rotatingSecret('webhook')

export const deliveries = resourceTable<typeof Delivery, DeliveryState>({ name: 'webhook_delivery', shape: Delivery })

/** The timeout of an attempt, with time to store its outcome. */
const claimMs = 30 * second
/** A job may run slightly early, because its clock may be the database's. */
const earlyMs = second

export interface NewDelivery {
  workspace: string
  webhook: string
  eventId: string
  event: Delivery['event']
  data: Record<string, unknown>
  manual?: boolean
  claimed?: boolean
}

export async function insertDelivery(ctx: Context, tx: Db, delivery: NewDelivery): Promise<DeliveryRow> {
  const now = ctx.now()
  const at = timestamp(now)
  const row: DeliveryRow = {
    id: ctx.newId('dlv'),
    webhook_id: delivery.webhook,
    event_id: delivery.eventId,
    event: delivery.event,
    status: 'pending',
    attempts: 0,
    round_began_at: 0,
    manual: delivery.manual ?? false,
    due_at: now,
    claimed_until: delivery.claimed ? now + claimMs : null,
    claimed_by: delivery.claimed ? ctx.node : null,
    next_attempt_at: at,
    last_attempt_at: null,
    delivered_at: null,
    request_body: JSON.stringify({ type: delivery.event, timestamp: at, data: delivery.data }),
    response_status: null,
    response_body: null,
    error: null,
    latency_ms: null,
    revision: 1,
    created_at: at,
    updated_at: at,
  }
  await deliveries.insert(tx, delivery.workspace, row)
  return row
}

const unclaimed = (db: Db, now: number) =>
  db
    .selectFrom('webhook_delivery')
    .where('status', '=', 'pending')
    .where((is) => is.or([is('claimed_until', 'is', null), is('claimed_until', '<', now)]))

/** Claims due deliveries, so that no other process sends them. */
export const claimDue = (ctx: Context, workspace: string, webhook: string, limit: number): Promise<DeliveryRow[]> =>
  inTransaction(ctx.db, async (tx) => {
    const now = ctx.now()
    const due = unclaimed(tx, now)
      .select('id')
      .where('workspace_id', '=', workspace)
      .where('webhook_id', '=', webhook)
      .where('due_at', '<=', now + earlyMs)
      .orderBy('due_at')
      .orderBy('id')
      .limit(limit)
    const ids = (await (isPostgres(tx) ? due.forUpdate().skipLocked() : due).execute()).map(({ id }) => id)
    if (ids.length === 0) return []
    const rows = await tx
      .updateTable('webhook_delivery')
      .set({ claimed_until: now + claimMs, claimed_by: ctx.node })
      .where('id', 'in', ids)
      .returningAll()
      .execute()
    return rows.map((row) => ({ ...row, manual: Boolean(row.manual) }))
  })

export async function releaseClaim(db: Db, id: string): Promise<void> {
  await db.updateTable('webhook_delivery').set({ claimed_until: null, claimed_by: null }).where('id', '=', id).execute()
}

/** Releases the claims of processes that have ended. Returns the webhooks that they were sending to. */
export async function releaseDeadClaims({ db, node, nodes }: Context): Promise<Receiver[]> {
  const claimed = await db
    .selectFrom('webhook_delivery')
    .select('claimed_by')
    .distinct()
    .where('status', '=', 'pending')
    .where('claimed_until', 'is not', null)
    .execute()
  const owners = claimed.flatMap(({ claimed_by }) => claimed_by ?? []).filter((owner) => owner !== node)
  const dead = await nodes.dead(owners)
  if (dead.length === 0) return []
  return db
    .updateTable('webhook_delivery')
    .set({ claimed_until: null, claimed_by: null })
    .where('status', '=', 'pending')
    .where('claimed_until', 'is not', null)
    .where('claimed_by', 'in', dead)
    .returning(['workspace_id', 'webhook_id'])
    .execute()
}

/** The webhooks with unclaimed deliveries that were due before a time. */
export const overdue = (ctx: Context, since: number): Promise<Receiver[]> =>
  unclaimed(ctx.db, ctx.now()).select(['workspace_id', 'webhook_id']).distinct().where('due_at', '<', since).execute()

/** Fails the pending deliveries of a disabled webhook. */
export async function failPending(tx: Db, ctx: Context, workspace: string, webhook: string): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set({
      status: 'failed',
      due_at: null,
      next_attempt_at: null,
      error: 'The webhook is disabled.',
      updated_at: timestamp(ctx.now()),
    })
    .where('workspace_id', '=', workspace)
    .where('webhook_id', '=', webhook)
    .where('status', '=', 'pending')
    .where('manual', '=', false)
    .execute()
}

const batchSize = 500

/** Deletes a batch of finished deliveries from before a time. */
export async function removeDeliveries({ db }: Context, before: number): Promise<number> {
  const old = db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('created_at', '<', timestamp(before))
    .where('status', '!=', 'pending')
    .limit(batchSize)
  const result = await db.deleteFrom('webhook_delivery').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
