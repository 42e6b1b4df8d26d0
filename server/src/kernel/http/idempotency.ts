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
      /** Until when the first request counts as running; renewed while it does. */
      held_until: number
      status: number | null
      headers: string | null
      /** Sealed: an answer can hold a secret that is shown only once. */
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
    /** For an answer that is streamed: what a repetition of the request gets once it is over. */
    storeResponse(answer: StoredResponse): Promise<void>
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

const remembered = day
const hold = 30 * second
const isTemporary = (status: number): boolean => status === 409 || status === 429 || status >= 500
const replayedHeaders = ['content-type', 'etag', 'location']

/**
 * A POST with an `Idempotency-Key` happens once: the first request takes the key, and every other one with the same
 * body gets the first one's answer. An answer that says to try again later frees the key, because that is what it is for.
 */
export function handleIdempotencyKeys(app: App, ctx: Context): void {
  const { db, now, secrets } = ctx
  const inFlight = new Set<Request>()
  app.decorateRequest('idempotencyKey', null)

  const row = (request: Request) => ({
    workspace_id: request.caller.workspace,
    token: request.caller.token,
    key: request.idempotencyKey as string,
  })

  const take = async (request: Request, hash: string): Promise<boolean> => {
    const fresh = {
      request_hash: hash,
      held_until: now() + hold,
      status: null,
      headers: null,
      body: null,
      created_at: now(),
    }
    const inserted = await db
      .insertInto('idempotency')
      .values({ ...row(request), ...fresh })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (inserted) return true
    // A key is free again after a day, and when the process that held it died.
    const taken = await db
      .updateTable('idempotency')
      .set(fresh)
      .where((is) => is.and(row(request)))
      .where((is) =>
        is.or([
          is('created_at', '<', now() - remembered),
          is.and([is('status', 'is', null), is('held_until', '<', now()), is('request_hash', '=', hash)]),
        ]),
      )
      .returning('key')
      .executeTakeFirst()
    return taken !== undefined
  }

  const before: preHandlerHookHandler = (request, reply, next) => {
    if (!('idempotency-key' in request.headers)) return next()
    answerOrTake(request, reply).then((answered) => answered || next(), next)
  }

  const taken = Symbol('taken')
  const firstWith = (request: Request) =>
    db
      .selectFrom('idempotency')
      .selectAll()
      .where((is) => is.and(row(request)))
      .executeTakeFirst()

  /** Takes the key for this request, or answers it with what the first one was answered. */
  const answerOrTake = async (request: Request, reply: Reply): Promise<boolean> => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string' || key.length < 1 || key.length > 255)
      invalid('Idempotency-Key', 'must be 1 to 255 characters')
    request.idempotencyKey = key
    const hash = createHash('sha256')
      .update(`${request.url}\n`)
      .update(request.rawBody ?? '')
      .digest('hex')
    let first = (await take(request, hash)) ? taken : await firstWith(request)
    // It may have been forgotten between the two looks: then it is free.
    if (first === undefined) first = (await take(request, hash)) ? taken : await firstWith(request)
    if (first === taken) {
      inFlight.add(request)
      return false
    }
    request.idempotencyKey = null
    if (first && first.request_hash !== hash) {
      throw new Problem(
        'idempotency_mismatch',
        'This Idempotency-Key was used with another request. Use a new key for a new request.',
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
    const keep = !isTemporary(reply.statusCode) && typeof payload === 'string'
    const names = replayedHeaders.filter((name) => reply.hasHeader(name))
    const headers = Object.fromEntries(names.map((name) => [name, String(reply.getHeader(name))]))
    const answer = keep ? { status: reply.statusCode, headers, body: payload } : null
    remember(request, answer).then(() => next(null, payload), next)
  }

  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return
    route.preHandler = [before, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), after]
  })

  /** Keeps the answer for the next request with this key, or frees the key where there is none to keep. */
  const remember = async (request: Request, answer: StoredResponse | null): Promise<void> => {
    const key = row(request)
    inFlight.delete(request)
    request.idempotencyKey = null
    if (answer === null) {
      await db
        .deleteFrom('idempotency')
        .where((is) => is.and(key))
        .execute()
      return
    }
    const { status, headers, body } = answer
    await db
      .updateTable('idempotency')
      .set({ status, headers: JSON.stringify(headers), body: secrets.seal(body, Object.values(key).join(' ')) })
      .where((is) => is.and(key))
      .execute()
  }
  app.decorateRequest('storeResponse', async function (this: Request, answer: StoredResponse) {
    if (this.idempotencyKey !== null) await remember(this, answer)
  })

  const renewal = setInterval(() => {
    for (const request of inFlight) {
      db.updateTable('idempotency')
        .set({ held_until: now() + hold })
        .where((is) => is.and(row(request)))
        .execute()
        .catch(() => {}) // the next beat tries again
    }
  }, hold / 3)
  renewal.unref()
  app.addHook('onClose', async () => clearInterval(renewal))

  ctx.jobs.define({
    queue: 'idempotency.tidy',
    every: hour,
    run: async () => {
      await db
        .deleteFrom('idempotency')
        .where('created_at', '<', now() - remembered)
        .execute()
    },
  })
}
