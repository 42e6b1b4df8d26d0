import { type Kysely, sql } from 'kysely'
import type { Context } from '../context.ts'
import { sealedColumn } from '../secrets/sealed.ts'
import type { Statement } from '../store/commits.ts'
import type { Db } from '../store/database.ts'
import type { DatedMigration } from '../store/migrate.ts'
import { prepared, statement } from '../store/statement.ts'
import { day, second } from '../time.ts'

interface IdempotencyRow {
  workspace_id: string
  token: string
  key: string
  request_hash: string
  /** The first request counts as running until then. Extended while it runs. */
  held_until: number
  status: number | null
  headers: string | null
  /** Encrypted, because a response can contain a secret that is shown only once. */
  body: string | null
  created_at: number
  /** The id of the resource that the request has started, written in the same transaction. */
  started_id: string | null
  /** The node of the request that has claimed the key, and an id of the request. Null: claimed by the release before. */
  holder: string | null
}

declare module '../store/database.ts' {
  interface Tables {
    idempotency: IdempotencyRow
  }
}

export interface StoredResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** The key of a request that has claimed it. */
export interface IdempotencyKey {
  workspace_id: string
  token: string
  key: string
  /** The request that has claimed it: the name of its node, a space and an id. */
  holder: string
  /** The id that an earlier request with this key had started before it failed or its process ended. */
  startedBefore: string | null
}

const sealContext = (row: { workspace_id?: unknown; token?: unknown; key?: unknown }): string =>
  `${row.workspace_id} ${row.token} ${row.key}`

export const sealedResponses = sealedColumn('idempotency', 'body', sealContext)

export async function createIdempotencyTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('held_until', 'bigint', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('headers', 'text')
    .addColumn('body', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_id', 'text')
    .addPrimaryKeyConstraint('idempotency_key', ['workspace_id', 'token', 'key'])
    .execute()
  await db.schema.createIndex('idempotency_age').on('idempotency').column('created_at').execute()
  await sql`create index idempotency_started on idempotency (started_id) where started_id is not null`.execute(db)
}

/** A key is taken over when the node of its request has died, so it names the node. */
export const idempotencyHolderMigration: DatedMigration = {
  name: '2026-11-18-01-idempotency-holder',
  up: (db) => db.schema.alterTable('idempotency').addColumn('holder', 'text').execute(),
}

const storedFor = day
export const lease = 30 * second

const primaryKey = ({ workspace_id, token, key }: IdempotencyKey) => ({ workspace_id, token, key })

const setStarted = prepared((db, { started_id, ...key }: ReturnType<typeof primaryKey> & { started_id: string }) =>
  db
    .updateTable('idempotency')
    .set({ started_id })
    .where((is) => is.and(key)),
)

/**
 * Added to the transaction that stores the resource a request starts. A repetition after a crash finds it (`startedBefore`)
 * and continues from there.
 */
export const recordStarted = ({ db }: Context, key: IdempotencyKey, started_id: string): Statement =>
  setStarted(db, { ...primaryKey(key), started_id })

/** Added to the transaction that ends the work of a dead process, so that a repetition need not wait for its lease. */
export const releaseStarted = ({ db }: Context, workspace: string, startedId: string): Statement =>
  statement(
    db
      .updateTable('idempotency')
      .set({ held_until: 0 })
      .where((is) => is.and({ workspace_id: workspace, started_id: startedId })),
  )

const deletedAtOnce = 500

/** Deletes the responses to requests that have started these resources. */
export async function deleteStarted(tx: Db, workspace: string, startedIds: string[]): Promise<void> {
  for (let start = 0; start < startedIds.length; start += deletedAtOnce)
    await tx
      .deleteFrom('idempotency')
      .where('workspace_id', '=', workspace)
      .where('started_id', 'in', startedIds.slice(start, start + deletedAtOnce))
      .execute()
}

/**
 * Deletes the responses to these tokens, and responses to others that mention a text. Returns their number.
 * Responses are kept for a day only, so all are looked at.
 */
export async function deleteResponses(
  { db, secrets }: Context,
  workspace: string,
  { tokens, mentions }: { tokens: readonly string[]; mentions: string },
): Promise<number> {
  let deleted = 0
  let last: Pick<IdempotencyRow, 'token' | 'key'> = { token: '', key: '' }
  for (;;) {
    const rows = await db
      .selectFrom('idempotency')
      .select(['workspace_id', 'token', 'key', 'body'])
      .where('workspace_id', '=', workspace)
      .where((is) =>
        is.or([is('token', '>', last.token), is.and([is('token', '=', last.token), is('key', '>', last.key)])]),
      )
      .orderBy('token')
      .orderBy('key')
      .limit(deletedAtOnce)
      .execute()
    for (const row of rows) {
      const isMentioned = () => row.body !== null && secrets.open(row.body, sealContext(row)).includes(mentions)
      if (!tokens.includes(row.token) && !isMentioned()) continue
      const { numDeletedRows } = await db
        .deleteFrom('idempotency')
        .where('workspace_id', '=', workspace)
        .where('token', '=', row.token)
        .where('key', '=', row.key)
        .executeTakeFirst()
      deleted += Number(numDeletedRows)
    }
    const end = rows.at(-1)
    if (!end || rows.length < deletedAtOnce) return deleted
    last = end
  }
}

export function idempotencyStore({ db, node, nodes, now, secrets }: Context) {
  const findRow = (key: IdempotencyKey) =>
    db
      .selectFrom('idempotency')
      .selectAll()
      .where((is) => is.and(primaryKey(key)))
      .executeTakeFirst()
  const update = (key: IdempotencyKey, changes: Partial<IdempotencyRow>) =>
    db
      .updateTable('idempotency')
      .set(changes)
      .where((is) => is.and(primaryKey(key)))
  /** Only while the request holds the key: another one may have taken it over. */
  const updateHeld = (key: IdempotencyKey, changes: Partial<IdempotencyRow>) =>
    update(key, changes).where('holder', '=', key.holder)
  const heldBy = ({ holder }: IdempotencyKey) => ({ held_until: now() + lease, holder })
  const oldest = () => now() - storedFor

  /** Inserts the key, or takes it over: after a day, or if the request that claimed it has ended without a response. */
  async function tryClaim(key: IdempotencyKey, hash: string): Promise<boolean> {
    const fresh = {
      ...heldBy(key),
      request_hash: hash,
      status: null,
      headers: null,
      body: null,
      started_id: null,
      created_at: now(),
    }
    const inserted = await db
      .insertInto('idempotency')
      .values({ ...primaryKey(key), ...fresh })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (inserted) return true
    const expired = await update(key, fresh).where('created_at', '<', oldest()).executeTakeFirst()
    if (Number(expired.numUpdatedRows) > 0) return true
    return takeOver(key, hash, (rows) => rows.where('held_until', '<', now()))
  }

  type Updating = ReturnType<typeof update>

  /** Claims the key of a request that has ended without a response. */
  async function takeOver(key: IdempotencyKey, hash: string, isAbandoned: (rows: Updating) => Updating) {
    const abandoned = await isAbandoned(update(key, heldBy(key)))
      .where('status', 'is', null)
      .where('request_hash', '=', hash)
      .returning('started_id')
      .executeTakeFirst()
    if (abandoned) key.startedBefore = abandoned.started_id
    return abandoned !== undefined
  }

  /** Claims the key of a request whose node has died. */
  async function takeOverFromDead(key: IdempotencyKey, hash: string, first: IdempotencyRow): Promise<boolean> {
    const { holder, status, request_hash } = first
    const [holdingNode = node] = holder?.split(' ') ?? []
    if (status !== null || request_hash !== hash || holdingNode === node) return false
    if ((await nodes.dead([holdingNode])).length === 0) return false
    return takeOver(key, hash, (rows) => rows.where('holder', '=', holder))
  }

  return {
    /** Returns undefined if this request has claimed the key, else the row of the first request (null: just released). */
    async claim(key: IdempotencyKey, hash: string): Promise<IdempotencyRow | null | undefined> {
      for (let attempt = 1; ; attempt++) {
        if (await tryClaim(key, hash)) return undefined
        const first = await findRow(key)
        if (first && (await takeOverFromDead(key, hash, first))) return undefined
        // It may have been released between the two queries.
        if (first || attempt === 2) return first ?? null
      }
    },
    async store(key: IdempotencyKey, { status, headers, body }: StoredResponse): Promise<void> {
      const sealed = secrets.seal(body, sealContext(key))
      await updateHeld(key, { status, headers: JSON.stringify(headers), body: sealed }).execute()
    },
    open: (row: IdempotencyRow & { body: string }): string => secrets.open(row.body, sealContext(row)),
    /** Lets the request be repeated. Keeps `started_id`. */
    async release(key: IdempotencyKey): Promise<void> {
      const nothing = db
        .deleteFrom('idempotency')
        .where((is) => is.and(primaryKey(key)))
        .where('holder', '=', key.holder)
        .where('started_id', 'is', null)
      const deleted = await nothing.executeTakeFirst()
      if (Number(deleted.numDeletedRows) === 0) await updateHeld(key, { held_until: 0 }).execute()
    },
    async renew(key: IdempotencyKey): Promise<void> {
      await updateHeld(key, { held_until: now() + lease }).execute()
    },
    async removeExpired(): Promise<void> {
      await db.deleteFrom('idempotency').where('created_at', '<', oldest()).execute()
    },
  }
}
