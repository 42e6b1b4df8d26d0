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

/** Accepts JWTs of the configured issuer for this audience as tokens. */
export function jwtVerifier(ctx: Context, oidc: Oidc, issuer: Issuer, audience: string) {
  const callers = new LRUCache<string, { caller: Caller; until: number }>({ max: maxCached })

  return async (token: string): Promise<Caller | null> => {
    const hash = hashSecret(token)
    const cached = callers.get(hash)
    if (cached && cached.until > ctx.now()) return cached.caller
    const claims = await issuer.verify(token, audience)
    if (!claims) return null
    const identity = await identify(ctx, oidc, claims)
    if (identity.caller === null) return identity.lacks === 'role' ? rejectWithoutRole(oidc) : null
    const until = Math.min((claims.exp ?? 0) * second, ctx.now() + cachedFor)
    callers.set(hash, { caller: identity.caller, until })
    return identity.caller
  }
}

function rejectWithoutRole({ roleClaim }: Oidc): never {
  const claim = roleClaim === null ? '"parley_role" (or "role")' : `"${roleClaim}"`
  throw new Problem(
    'invalid_token',
    `This JWT has no role of Parley. Add the claim ${claim} at the identity provider, or set OIDC_DEFAULT_ROLE.`,
  )
}
