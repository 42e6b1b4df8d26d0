import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Oidc } from '../../kernel/config.ts'
import { type Caller, type Context, type Role, roles } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import { minute, second } from '../../kernel/time.ts'
import { resolve } from '../workspaces/service.ts'
import { hashOf } from './hash.ts'

type KeySet = ReturnType<typeof createRemoteJWKSet>

const cachedFor = minute
const maxCached = 10_000

/**
 * Accepts JWTs of the configured issuer as tokens. Claims: `parley_workspace` or `workspace` (ID or name; by default
 * "default"), `parley_role` or `role` (by default the configured one, if any), and `sub`, the user.
 */
export function oidcVerifier(ctx: Context, { issuer, audience, defaultRole }: Oidc) {
  const callers = new LRUCache<string, { caller: Caller; until: number }>({ max: maxCached })
  let keys: Promise<KeySet> | undefined

  const keySet = async (): Promise<KeySet> => {
    keys ??= discover(issuer)
    try {
      return await keys
    } catch (error) {
      keys = undefined
      throw unreachable(error)
    }
  }

  return async (token: string): Promise<Caller | null> => {
    const hash = hashOf(token)
    const cached = callers.get(hash)
    if (cached && cached.until > ctx.now()) return cached.caller
    const payload = await verify(token, await keySet())
    const caller = payload && (await toCaller(payload))
    if (!caller) return null
    callers.set(hash, { caller, until: Math.min((payload.exp ?? 0) * second, ctx.now() + cachedFor) })
    return caller
  }

  async function verify(token: string, keys: KeySet): Promise<JWTPayload | null> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        requiredClaims: ['exp', 'sub'],
        algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
        currentDate: new Date(ctx.now()),
      })
      return payload
    } catch (error) {
      const isUnreachable = error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)
      if (isUnreachable) throw unreachable(error)
      return null
    }
  }

  async function toCaller(claims: JWTPayload): Promise<Caller | null> {
    // A claim of another type is rejected: ignoring it could give another role or workspace than the issuer meant.
    const { parley_role = claims.role, parley_workspace = claims.workspace } = claims
    const role = parley_role === undefined ? (defaultRole ?? rejectWithoutRole()) : parley_role
    const place = parley_workspace === undefined ? 'default' : parley_workspace
    if (!isRole(role) || typeof place !== 'string' || !isUser(claims.sub)) return null
    const workspace = await resolve(ctx, place)
    if (workspace === null) return null
    const name = typeof claims.name === 'string' ? claims.name : claims.sub
    return { workspace, role, token: `oidc:${claims.sub}`, userId: claims.sub, groups: [], rateLimit: null, name }
  }
}

function rejectWithoutRole(): never {
  throw new Problem(
    'invalid_token',
    'This JWT has no role. Add the claim "parley_role" (or "role") at the identity provider, or set OIDC_DEFAULT_ROLE.',
  )
}

const isRole = (role: unknown): role is Role => roles.includes(role as Role)

/** The same limits as for `user_id` in a request, because `sub` becomes the user of conversations. */
const isUser = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && sub.length <= 200 && !sub.includes('\0')

async function discover(issuer: string): Promise<KeySet> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { signal: AbortSignal.timeout(10 * second) })
  if (!response.ok) throw new Error(`${address} responded with ${response.status}`)
  const { jwks_uri: keysAddress, issuer: named } = (await response.json()) as { jwks_uri?: unknown; issuer?: unknown }
  if (named !== issuer || typeof keysAddress !== 'string')
    throw new Error(`${address} does not describe the issuer ${issuer}`)
  return createRemoteJWKSet(new URL(keysAddress))
}

const unreachable = (error: unknown) =>
  new Problem('overloaded', `The identity provider is unreachable (${reason(error)}). Try again shortly.`, {
    headers: { 'retry-after': '5' },
  })
