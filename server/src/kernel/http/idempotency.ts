import { createHash } from 'node:crypto'
import type { onSendHookHandler, preHandlerHookHandler } from 'fastify'
import { isBound, sortedGroups } from '../access.ts'
import type { Context } from '../context.ts'
import { invalid, Problem } from '../errors.ts'
import { isDiskFull, isUnavailable } from '../store/failures.ts'
import { hour, second } from '../time.ts'
import type { App, Reply, Request } from './app.ts'
import { type IdempotencyKey, idempotencyStore, lease, type StoredResponse } from './idempotency-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    idempotencyKey: IdempotencyKey | null
    /**
     * For hijacked replies: stores the response for repetitions. Null lets the request be repeated.
     * Until the promise resolves, the key is in progress, even after the client has disconnected.
     */
    storeResponse(response: Promise<StoredResponse | null>): Promise<void>
  }
}

/** Whether a response asks the client to try again later. Such a response releases the key. */
export const isTemporary = (status: number): boolean => status === 409 || status === 429 || status >= 500

/** Stores the response for a key, or releases it. */
type Ending = () => Promise<void>

const replayedHeaders = ['content-type', 'etag', 'location']

/**
 * A POST with an `Idempotency-Key` runs once: the first request claims the key, and repetitions with the same body get its
 * response.
 */
export function handleIdempotencyKeys(app: App, ctx: Context): void {
  const store = idempotencyStore(ctx)
  const inFlight = new Map<Request, IdempotencyKey>()
  const deferred = new WeakSet<Request>()
  /** Requests that failed with the database. They are repeated until it is back, because repetitions wait for them. */
  const postponed = new Set<Ending>()
  app.decorateRequest('idempotencyKey', null)

  const before: preHandlerHookHandler = (request, reply, next) => {
    if (!('idempotency-key' in request.headers)) return next()
    claimOrReplay(request, reply).then((replayed) => replayed || next(), next)
  }

  /** Claims the key for this request, or replays the response of the first one and returns true. */
  const claimOrReplay = async (request: Request, reply: Reply): Promise<boolean> => {
    const sent = request.headers['idempotency-key']
    if (typeof sent !== 'string' || sent.length < 1 || sent.length > 255)
      invalid('Idempotency-Key', 'must be 1 to 255 characters')
    const { workspace, token } = request.caller
    const holder = `${ctx.node} ${ctx.newId('req')}`
    const key: IdempotencyKey = { workspace_id: workspace, token, key: sent, holder, startedBefore: null }
    const hash = createHash('sha256')
      .update(`${request.url}\n`)
      .update(request.rawBody ?? '')
      .update(isBound(request.caller) ? JSON.stringify(sortedGroups(request.caller.groups)) : '') // a response shows what they may see
      .digest('hex')
    const first = await store.claim(key, hash).catch((error) => {
      postponed.add(() => store.release(key)) // the claim may have been committed before the connection was lost
      throw error
    })
    if (first === undefined) {
      request.idempotencyKey = key
      inFlight.set(request, key)
      reply.raw.once('close', () => reply.sent && !deferred.has(request) && void finish(request, null))
      return false
    }
    if (first && first.request_hash !== hash) {
      throw new Problem(
        'idempotency_mismatch',
        'This Idempotency-Key was already used with a different request, or when you were in other groups. Use a new key for each request.',
      )
    }
    if (!first || first.status === null || first.headers === null || first.body === null) throw inProgress()
    reply
      .status(first.status)
      .headers(JSON.parse(first.headers))
      .header('idempotent-replayed', 'true')
      .serializer((text) => text as string)
      .send(store.open({ ...first, body: first.body }))
    return true
  }

  const after: onSendHookHandler = (request, reply, payload, next) => {
    if (!inFlight.has(request)) return next(null, payload)
    if (payload instanceof Response) return next(null, recorded(request, reply, payload))
    const isFinal = !isTemporary(reply.statusCode) && typeof payload === 'string'
    const names = replayedHeaders.filter((name) => reply.hasHeader(name))
    const headers = Object.fromEntries(names.map((name) => [name, String(reply.getHeader(name))]))
    const response = isFinal ? { status: reply.statusCode, headers, body: payload } : null
    finish(request, response).then(() => next(null, payload))
  }

  /** The same response. A copy of it is stored once it is complete. */
  const recorded = (request: Request, reply: Reply, response: Response): Response => {
    const { status, headers } = response
    const copy = response.clone()
    const names = replayedHeaders.filter((name) => headers.has(name))
    const kept = Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']))
    const stored = copy
      .text()
      .then((body) => (isTemporary(status) || reply.raw.destroyed ? null : { status, headers: kept, body }))
    void request.storeResponse(stored)
    return response
  }

  app.addHook('onRoute', (route) => {
    // Keys belong to a token, and a repeated sign-in is a new session.
    if (route.method !== 'POST' || route.config?.may === 'public') return
    route.preHandler = [before, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), after]
  })

  /** Stores the response for repetitions, or releases the key if there is none to store. Does not throw. */
  const finish = async (request: Request, response: StoredResponse | null): Promise<void> => {
    const key = inFlight.get(request)
    if (!inFlight.delete(request) || !key) return
    await end(() => (response === null ? store.release(key) : store.store(key, response)))
  }
  app.decorateRequest('storeResponse', async function (this: Request, response: Promise<StoredResponse | null>) {
    deferred.add(this)
    await finish(this, await response.catch(() => null))
  })

  const end = (ending: Ending): Promise<void> =>
    ending().catch((error) => {
      if (isUnavailable(error) || isDiskFull(error)) postponed.add(ending)
      else ctx.log.error({ err: error }, 'could not end an idempotency key')
    })
  const endPostponed = async (): Promise<void> => {
    for (const ending of [...postponed]) {
      postponed.delete(ending)
      await end(ending)
    }
  }
  const timers = [
    setInterval(() => {
      for (const key of inFlight.values()) store.renew(key).catch(() => {}) // retried at the next interval
    }, lease / 3),
    setInterval(() => void endPostponed(), second),
  ]
  for (const timer of timers) timer.unref()
  app.addHook('onClose', async () => timers.forEach(clearInterval))

  ctx.jobs.define({ queue: 'idempotency.tidy', every: hour, run: () => store.removeExpired() })
}

export const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Try again shortly.',
    { headers: { 'retry-after': '1' } },
  )
