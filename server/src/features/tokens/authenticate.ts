import type { Caller, Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import { hashOf } from './hash.ts'
import { recordUse } from './last-used.ts'
import { oidcVerifier } from './oidc.ts'

/** Finds the caller of a bearer token. In a cluster every request reads the database, so that revocation takes effect at the next one on every node. */
export function createAuthenticator(ctx: Context): (token: string) => Promise<Caller | null> {
  const verifyJwt = ctx.config.oidc && oidcVerifier(ctx, ctx.config.oidc)
  return async (token) => {
    if (verifyJwt && token.split('.').length === 3) return verifyJwt(token)
    const caller = await findCaller(ctx, token)
    if (caller) recordUse(ctx, caller.token)
    return caller
  }
}

async function findCaller({ db, now, cache }: Context, token: string): Promise<Caller | null> {
  const hash = hashOf(token)
  const { row } = await cache.get(`token ${hash}`, async () => ({ row: await findToken(db, hash) }))
  if (!row || (row.expires_at !== null && Date.parse(row.expires_at) <= now())) return null
  return {
    workspace: row.workspace_id,
    role: row.role,
    token: row.id,
    userId: row.user_id,
    rateLimit: row.rate_limit,
    name: row.name,
  }
}

const findToken = (db: Db, hash: string) =>
  db
    .selectFrom('token')
    .select(['id', 'workspace_id', 'role', 'user_id', 'name', 'rate_limit', 'expires_at'])
    .where('hash', '=', hash)
    .executeTakeFirst()
