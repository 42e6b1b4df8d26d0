import { timingSafeEqual } from 'node:crypto'
import type { Caller, Context, KnownCaller, Role } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/store/database.ts'
import { hashOf } from './hash.ts'
import { noteUse } from './last-used.ts'
import { oidcVerifier } from './oidc.ts'

interface TokenRow {
  id: string
  workspace_id: string
  role: Role
  user_id: string | null
  name: string
  hash: string
  rate_limit: number | null
  expires_at: string | null
}

const mostRemembered = 10_000

/**
 * Finds who a bearer token belongs to. One process remembers tokens between requests, because it hears of every
 * change; in a cluster each request asks the database, so that revoking takes effect at the next one on every node.
 */
export function createAuthenticator(ctx: Context): (token: string) => Promise<Caller | null> | Caller | null {
  const remembers = ctx.engine === 'sqlite'
  const verifyJwt = ctx.config.oidc && oidcVerifier(ctx, ctx.config.oidc)

  const admit = ({ caller, expiresAt }: KnownCaller): Caller | null => {
    if (expiresAt !== null && expiresAt <= ctx.now()) return null
    noteUse(ctx, caller.token)
    return caller
  }

  const meet = async (token: string): Promise<Caller | null> => {
    const found = await lookUp(ctx, hashOf(token))
    if (!found) return null
    if (ctx.callers.size >= mostRemembered) ctx.callers.clear()
    if (remembers) ctx.callers.set(token, found)
    return admit(found)
  }

  return (token) => {
    if (verifyJwt && token.split('.').length === 3) return verifyJwt(token)
    const known = remembers ? ctx.callers.get(token) : undefined
    return known ? admit(known) : meet(token)
  }
}

let lookUpSql: string | undefined

async function lookUp({ db }: Context, hash: string): Promise<KnownCaller | undefined> {
  lookUpSql ??= db
    .selectFrom('token')
    .select(['id', 'workspace_id', 'role', 'user_id', 'name', 'hash', 'rate_limit', 'expires_at'])
    .where('hash', '=', hash)
    .compile().sql
  const [row] = await rowsOf<TokenRow>(db, { sql: lookUpSql, parameters: [hash] })
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return undefined
  return {
    caller: {
      workspace: row.workspace_id,
      role: row.role,
      token: row.id,
      userId: row.user_id,
      rateLimit: row.rate_limit,
      name: row.name,
    },
    expiresAt: row.expires_at === null ? null : Date.parse(row.expires_at),
  }
}
