import { createHash } from 'node:crypto'
import type { onSendHookHandler, preHandlerHookHandler } from 'fastify'
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import { invalid, Problem } from '../errors.ts'
import type { DatedMigration } from '../store/migrate.ts'
import { day, hour, second } from '../time.ts'
import type { App, Reply, Request } from './app.ts'

declare module '../store/database.ts' {
  interface Tables {
    idempotency: {
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
    }
  }
}

interface StoredResponse {
  status: number
  headers: Record<string, string>
  body: string
}

declare module 'fastify' {
  interface FastifyRequest {
    idempotencyKey: string | null
    /** For streamed responses: what a repeated request gets after the stream has ended. */
    storeResponse(response: StoredResponse): Promise<void>
  }
}

export const idempotencyMigration: DatedMigration = {
  name: '2026-11-15-02-idempotency',
  async up(db: Kysely<unknown>) {
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
      .addPrimaryKeyConstraint('idempotency_key', ['workspace_id', 'token', 'key'])
      .execute()
    await db.schema.createIndex('idempotency_age').on('idempotency').column('created_at').execute()
  },
}

const storedFor = day
const lease = 30 * second
const isTemporary = (status: number): boolean => status === 409 || status === 429 || status >= 500
const replayedHeaders = ['content-type', 'etag', 'location']

/**
 * A POST with an `Idempotency-Key` runs once: the first request claims the key, and repetitions with the same body get its
 * response. A response that asks the client to retry later releases the key.
 */
export function handleIdempotencyKeys(app: App, ctx: Context): void {
  const { db, now, secrets } = ctx
  const inFlight = new Set<Request>()
  app.decorateRequest('idempotencyKey', null)

  const keyOf = (request: Request) => ({
    workspace_id: request.caller.workspace,
    token: request.caller.token,
    key: request.idempotencyKey as string,
  })

  const claim = async (request: Request, hash: string): Promise<boolean> => {
    const fresh = {
      request_hash: hash,
      held_until: now() + lease,
      status: null,
      headers: null,
      body: null,
      created_at: now(),
    }
    const inserted = await db
      .insertInto('idempotency')
      .values({ ...keyOf(request), ...fresh })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (inserted) return true
    // A key can be claimed again after a day, or if the process that claimed it died.
    const reclaimed = await db
      .updateTable('idempotency')
      .set(fresh)
      .where((is) => is.and(keyOf(request)))
      .where((is) =>
        is.or([
          is('created_at', '<', now() - storedFor),
          is.and([is('status', 'is', null), is('held_until', '<', now()), is('request_hash', '=', hash)]),
        ]),
      )
      .returning('key')
      .executeTakeFirst()
    return reclaimed !== undefined
  }

  const before: preHandlerHookHandler = (request, reply, next) => {
    if (!('idempotency-key' in request.headers)) return next()
    claimOrReplay(request, reply).then((replayed) => replayed || next(), next)
  }

  const claimed = Symbol('claimed')
  const findFirst = (request: Request) =>
    db
      .selectFrom('idempotency')
      .selectAll()
      .where((is) => is.and(keyOf(request)))
      .executeTakeFirst()

  /** Claims the key for this request, or replays the response of the first one and returns true. */
  const claimOrReplay = async (request: Request, reply: Reply): Promise<boolean> => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string' || key.length < 1 || key.length > 255)
      invalid('Idempotency-Key', 'must be 1 to 255 characters')
    request.idempotencyKey = key
    const hash = createHash('sha256')
      .update(`${request.url}\n`)
      .update(request.rawBody ?? '')
      .digest('hex')
    let first = (await claim(request, hash)) ? claimed : await findFirst(request)
    // It may have been released between the two queries.
    if (first === undefined) first = (await claim(request, hash)) ? claimed : await findFirst(request)
    if (first === claimed) {
      inFlight.add(request)
      return false
    }
    request.idempotencyKey = null
    if (first && first.request_hash !== hash) {
      throw new Problem(
        'idempotency_mismatch',
        'This Idempotency-Key was already used with a different request. Use a new key for each request.',
      )
    }
    if (!first || first.status === null || first.headers === null || first.body === null) {
      throw new Problem(
        'idempotency_in_progress',
        'The first request with this Idempotency-Key is still running. Try again shortly.',
        {
          headers: { 'retry-after': '1' },
        },
      )
    }
    const body = secrets.open(first.body, `${first.workspace_id} ${first.token} ${first.key}`)
    reply
      .status(first.status)
      .headers(JSON.parse(first.headers))
      .header('idempotent-replayed', 'true')
      .serializer((text) => text as string)
      .send(body)
    return true
  }

  const after: onSendHookHandler = (request, reply, payload, next) => {
    if (request.idempotencyKey === null) return next(null, payload)
    const isFinal = !isTemporary(reply.statusCode) && typeof payload === 'string'
    const names = replayedHeaders.filter((name) => reply.hasHeader(name))
    const headers = Object.fromEntries(names.map((name) => [name, String(reply.getHeader(name))]))
    const response = isFinal ? { status: reply.statusCode, headers, body: payload } : null
    finish(request, response).then(() => next(null, payload), next)
  }

  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return
    route.preHandler = [before, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), after]
  })

  /** Stores the response for repetitions, or releases the key if there is none to store. */
  const finish = async (request: Request, response: StoredResponse | null): Promise<void> => {
    const key = keyOf(request)
    inFlight.delete(request)
    request.idempotencyKey = null
    if (response === null) {
      await db
        .deleteFrom('idempotency')
        .where((is) => is.and(key))
        .execute()
      return
    }
    const { status, headers, body } = response
    await db
      .updateTable('idempotency')
      .set({ status, headers: JSON.stringify(headers), body: secrets.seal(body, Object.values(key).join(' ')) })
      .where((is) => is.and(key))
      .execute()
  }
  app.decorateRequest('storeResponse', async function (this: Request, response: StoredResponse) {
    if (this.idempotencyKey !== null) await finish(this, response)
  })

  const renewal = setInterval(() => {
    for (const request of inFlight) {
      db.updateTable('idempotency')
        .set({ held_until: now() + lease })
        .where((is) => is.and(keyOf(request)))
        .execute()
        .catch(() => {}) // retried at the next interval
    }
  }, lease / 3)
  renewal.unref()
  app.addHook('onClose', async () => clearInterval(renewal))

  ctx.jobs.define({
    queue: 'idempotency.tidy',
    every: hour,
    run: async () => {
      await db
        .deleteFrom('idempotency')
        .where('created_at', '<', now() - storedFor)
        .execute()
    },
  })
}
