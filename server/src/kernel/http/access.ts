import { isReading, maySeeAs, seenAs } from '../access-explanation.ts'
import type { Caller } from '../context.ts'
import { forbidden, invalid, notFound, Problem } from '../errors.ts'
import type { App, Reply, Request } from './app.ts'
import { rejectNul } from './json-text.ts'
import { type Permission, permits, rolesWith } from './permissions.ts'
import type { RateLimit } from './rate-limit.ts'
import { mayUseSession, readSessionSecret, setSessionCookie } from './session-cookie.ts'

export interface AccessSettings {
  /** The caller that a bearer token belongs to; `null` if the token is not valid. */
  authenticate(
    token: string,
    options: { duringOutage: boolean; resource: string | null },
  ): Promise<{ caller: Caller } | null>
  /** The MCP server as a resource that the tokens of an identity provider can be for; null if the request does not prove it. */
  resource(request: Request): string | null
  /** The caller that a session cookie belongs to. The cookie is set again if the session was extended. */
  authenticateSession(
    secret: string,
    options: { duringOutage: boolean },
  ): Promise<{ caller: Caller; renewed: { maxAge: number | null } | null } | null>
  /** The workspace with this id or name. */
  findWorkspace(idOrName: string): Promise<string | null>
  /** Called with the sender of every request. */
  seen(caller: Caller): void
  limiter: RateLimit
  defaultLimit: number
}

/**
 * Authentication, rate limit and permission of every request, checked before its body is read. Registering a route
 * without a permission (`config.may`) throws.
 */
export function enforceAccess(app: App, access: AccessSettings): void {
  app.decorateRequest('caller')
  app.decorateRequest('rawBody', null)

  app.addHook('onRoute', (route) => {
    if (route.config?.may === undefined) {
      throw new Error(`The route ${route.method} ${route.url} declares no permission (config.may).`)
    }
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const { may, unlimited, duringOutage = false } = request.routeOptions.config
    if (may === 'public' || (request.is404 && !request.url.startsWith('/api'))) {
      const check = unlimited ? access.limiter.show : access.limiter.count
      await check(reply, addressKey(request), access.defaultLimit)
      return
    }
    const caller = await authenticate(request, reply, duringOutage)
    await access.limiter.count(reply, caller.token, caller.rateLimit ?? access.defaultLimit, { duringOutage })
    const { id: requestId, traceparent } = request
    request.caller = {
      ...withSight(request, await inWorkspace(request, caller)),
      requestId,
      origin: `${request.protocol}://${request.host}`,
      ...(traceparent !== null && { traceparent }),
    }
    access.seen(request.caller)
    if (may && !permits(caller, may)) refuse(caller, may)
  })

  /** Failed attempts count against the rate limit of the client's address. */
  async function authenticate(request: Request, reply: Reply, duringOutage: boolean): Promise<Caller> {
    const token = bearerToken(request)
    // A bearer token counts alone, even an invalid one.
    const session = request.headers.authorization === undefined ? readSessionSecret(request) : null
    const isForeign = session !== null && !mayUseSession(request)
    const found =
      token !== null
        ? await access.authenticate(token, { duringOutage, resource: access.resource(request) })
        : session !== null && !isForeign
          ? await authenticateSession(request, reply, session, duringOutage)
          : null
    if (found) return found.caller
    await access.limiter.count(reply, addressKey(request), access.defaultLimit)
    if (isForeign) throw new Problem('unauthenticated', foreignSession)
    if (session !== null) throw new Problem('invalid_token', 'The session has ended. Sign in again.')
    throw token === null
      ? new Problem('unauthenticated', 'Authentication required. Send "Authorization: Bearer <token>".')
      : new Problem('invalid_token', 'The token is unknown, revoked or expired.')
  }

  async function authenticateSession(request: Request, reply: Reply, secret: string, duringOutage: boolean) {
    const found = await access.authenticateSession(secret, { duringOutage })
    // Shared caches skip responses to bearer tokens by default, but not responses to cookies.
    reply.header('cache-control', 'private, no-cache')
    if (found?.renewed) setSessionCookie(request, reply, secret, found.renewed.maxAge)
    return found
  }

  app.addHook('preValidation', (request, _reply, next) => {
    const params = request.params as Record<string, string>
    for (const name in params) {
      const value = params[name] as string
      if (name !== '*' && !saneId.test(value)) notFound('resource', value.slice(0, 40).replaceAll('\0', ''))
    }
    if (request.url.includes('%00')) rejectNulInQuery(request.query as Record<string, string | string[]>)
    next()
  })

  async function inWorkspace(request: Request, caller: Caller): Promise<Caller> {
    const wanted = request.headers['x-workspace']
    if (typeof wanted !== 'string' || wanted === caller.workspace) return caller
    if (caller.role !== 'owner') forbidden('Only an owner may act in another workspace (X-Workspace).')
    const { configuration: _, ...anywhere } = caller
    return {
      ...anywhere,
      workspace: (await access.findWorkspace(wanted)) ?? notFound('workspace', wanted.slice(0, 100)),
    }
  }
}

function refuse({ role, scopes = [] }: Caller, may: Permission): never {
  if (scopes.length > 0) forbidden(`A token with the scope "${scopes.join(', ')}" may not do this.`)
  forbidden(`The role "${role}" may not do this. Required role: ${rolesWith(may).join(', ')}.`)
}

/** `X-Seen-As`: the request reads with the access of another person. */
function withSight(request: Request, caller: Caller): Caller {
  const header = request.headers['x-seen-as']
  if (typeof header !== 'string') return caller
  if (!maySeeAs(caller)) forbidden('Only editors and higher roles may look as someone else (X-Seen-As).')
  if (!isReading(request.method, request.routeOptions.url ?? ''))
    invalid('X-Seen-As', 'is for reading and searching; send this request without it')
  return seenAs(caller, header)
}

export const addressKey = (request: Request): string => `address ${request.ip}`

const foreignSession =
  'The session cookie is accepted only from pages of this service, with the header X-Requested-With. Send "Authorization: Bearer <token>" instead.'
const bearer = /^Bearer[ ]+(\S+)[ ]*$/i
const saneId = /^[\w.-]{1,128}$/

function rejectNulInQuery(query: Record<string, string | string[]>): void {
  for (const [name, value] of Object.entries(query)) for (const text of [name, value].flat()) rejectNul(name, text)
}

function bearerToken({ headers: { authorization } }: Request): string | null {
  return authorization === undefined ? null : (bearer.exec(authorization)?.[1] ?? null)
}
