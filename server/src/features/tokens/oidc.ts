import { LRUCache } from 'lru-cache'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { Oidc } from '../../kernel/oidc-settings.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import { minute, second } from '../../kernel/time.ts'
import { identify } from './claims.ts'
import type { Issuer } from './issuer.ts'

const cachedFor = minute
const maxCached = 10_000

/**
 * Accepts JWTs of the configured issuer as tokens: those for OIDC_AUDIENCE everywhere, and those for the MCP server, which a
 * client requested by its resource (RFC 8707), only there.
 */
export function jwtVerifier(ctx: Context, oidc: Oidc, issuer: Issuer) {
  const callers = new LRUCache<string, { caller: Caller; until: number }>({ max: maxCached })

  return async (token: string, resource: string | null): Promise<Caller | null> => {
    const audiences = [oidc.audience, resource].filter((each) => each !== null)
    if (audiences.length === 0) return null
    const key = `${hashSecret(token)} ${resource}`
    const cached = callers.get(key)
    if (cached && cached.until > ctx.now()) return cached.caller
    const claims = await issuer.verify(token, audiences)
    if (!claims) return null
    const identity = await identify(ctx, oidc, claims)
    if (identity.caller === null) return identity.lacks === 'role' ? rejectWithoutRole(oidc) : null
    const until = Math.min((claims.exp ?? 0) * second, ctx.now() + cachedFor)
    const isForAll = oidc.audience !== null && [claims.aud].flat().includes(oidc.audience)
    const caller: Caller = isForAll ? identity.caller : { ...identity.caller, scopes: ['mcp'] }
    callers.set(key, { caller, until })
    return caller
  }
}

function rejectWithoutRole({ roleClaim }: Oidc): never {
  const claim = roleClaim === null ? '"parley_role" (or "role")' : `"${roleClaim}"`
  throw new Problem(
    'invalid_token',
    `This JWT has no role of Parley. Add the claim ${claim} at the identity provider, or set OIDC_DEFAULT_ROLE.`,
  )
}
