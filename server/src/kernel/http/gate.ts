import type { Caller } from '../context.ts'
import { forbidden, notFound, Problem } from '../errors.ts'
import type { App, Reply, Request } from './app.ts'
import { refuseNul } from './body.ts'
import { allows, type Permission, rolesWith } from './permissions.ts'
import type { RateLimit } from './rate-limit.ts'

export interface GateSettings {
  /** Finds who a bearer token belongs to; `null` when it opens nothing. At once where it is known already. */
  authenticate(token: string): Promise<Caller | null> | Caller | null
  /** The workspace an owner asks for by id or name. */
  findWorkspace(idOrName: string): Promise<string | null>
  limiter: RateLimit
  defaultLimit: number
}

/**
 * What stands before every handler, before a body is read: who is asking, whether they ask too often, whether they
 * may. A route that does not say who may call it cannot be registered.
 */
export function guard(app: App, gate: GateSettings): void {
  app.decorateRequest('caller')
  app.decorateRequest('rawBody', null)

  app.addHook('onRoute', (route) => {
    if (route.config?.may === undefined) {
      throw new Error(`The route ${route.method} ${route.url} does not say who may call it (config.may).`)
    }
  })

  const pass = (request: Request, reply: Reply): MaybeLater<void> => {
    reply.header('x-request-id', request.id)
    const { may, unlimited } = request.routeOptions.config
    if (may === 'public' || (request.is404 && !request.url.startsWith('/api'))) {
      const act = unlimited ? gate.limiter.show : gate.limiter.count
      return act(reply, addressOf(request), gate.defaultLimit)
    }
    const token = bearerToken(request)
    return then(token === null ? null : gate.authenticate(token), (caller) => {
      if (!caller) return refuse(request, reply, token)
      return then(gate.limiter.count(reply, caller.token, caller.rateLimit ?? gate.defaultLimit), () =>
        then(inWorkspace(request, caller), (there) => enter(request, may, there)),
      )
    })
  }

  const enter = (request: Request, may: Permission | undefined, caller: Caller): void => {
    request.caller = { ...caller, requestId: request.id }
    if (may && !allows(may, caller.role)) {
      forbidden(`The role "${caller.role}" may not do this. It takes one of: ${rolesWith(may).join(', ')}.`)
    }
  }

  const refuse = async (request: Request, reply: Reply, token: string | null): Promise<never> => {
    await gate.limiter.count(reply, addressOf(request), gate.defaultLimit)
    throw token === null
      ? new Problem('unauthenticated', 'This needs a token: send "Authorization: Bearer <token>".')
      : new Problem('invalid_token', 'The token is unknown, revoked or expired.')
  }

  app.addHook('onRequest', (request, reply, next) => {
    const waiting = pass(request, reply)
    if (waiting) waiting.then(() => next(), next)
    else next()
  })

  app.addHook('preValidation', (request, _reply, next) => {
    const params = request.params as Record<string, string>
    for (const name in params) {
      const value = params[name] as string
      if (name !== '*' && !saneId.test(value)) notFound('resource', value.slice(0, 40).replaceAll('\0', ''))
    }
    if (request.url.includes('%00')) refuseNulInQuery(request.query as Record<string, string | string[]>)
    next()
  })

  function inWorkspace(request: Request, caller: Caller): MaybeLater<Caller> {
    return 'x-workspace' in request.headers ? elsewhere(request, caller) : caller
  }

  async function elsewhere(request: Request, caller: Caller): Promise<Caller> {
    const wanted = request.headers['x-workspace']
    if (typeof wanted !== 'string' || wanted === caller.workspace) return caller
    if (caller.role !== 'owner') forbidden('Only the token of an owner acts in another workspace (X-Workspace).')
    return { ...caller, workspace: (await gate.findWorkspace(wanted)) ?? notFound('workspace', wanted.slice(0, 100)) }
  }
}

type MaybeLater<T> = T | Promise<T>

/** Goes on at once where nothing has to be waited for, as with nearly every request. */
const then = <T, R>(value: MaybeLater<T>, next: (value: T) => MaybeLater<R>): MaybeLater<R> =>
  value instanceof Promise ? value.then(next) : next(value)

export const addressOf = (request: Request): string => `address ${request.ip}`

const bearer = /^Bearer[ ]+(\S+)[ ]*$/i
const saneId = /^[\w.-]{1,128}$/

function refuseNulInQuery(query: Record<string, string | string[]>): void {
  for (const [name, value] of Object.entries(query)) for (const text of [name, value].flat()) refuseNul(name, text)
}

function bearerToken({ headers: { authorization } }: Request): string | null {
  return authorization === undefined ? null : (bearer.exec(authorization)?.[1] ?? null)
}
