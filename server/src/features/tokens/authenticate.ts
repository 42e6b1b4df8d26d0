import type { Caller, Context, Scope } from '../../kernel/context.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import { configurationRevision } from '../../kernel/store/configuration.ts'
import type { Db } from '../../kernel/store/database.ts'
import { second, timestamp } from '../../kernel/time.ts'
import { within } from '../../kernel/within.ts'

interface Found {
  caller: Caller
  isJwt: boolean
}

/** Finds the caller of a bearer token. In a cluster every request reads the database, so that revocation takes effect at the next one on every node. */
export function createAuthenticator(ctx: Context) {
  const { verifyJwt } = ctx.state.tokens
  return async (
    token: string,
    { duringOutage, resource = null }: { duringOutage: boolean; resource?: string | null },
  ): Promise<Found | null> => {
    const isJwt = verifyJwt !== null && token.split('.').length === 3
    const find = async (): Promise<Caller | null> => {
      if (isJwt) return verifyJwt(token, resource)
      const caller = await findCaller(ctx, token)
      if (caller) recordUse(ctx, caller.token)
      return caller
    }
    const caller = await rememberRecent(ctx, hashSecret(token), duringOutage, find)
    return caller && { caller, isJwt }
  }
}

/** Finds a caller and caches it by this hash for routes that respond while the database is down. */
export async function rememberRecent(
  ctx: Context,
  hash: string,
  duringOutage: boolean,
  find: () => Promise<Caller | null>,
): Promise<Caller | null> {
  const { recent } = ctx.state.tokens
  try {
    const caller = await (duringOutage ? within(databaseTimeout, find()) : find())
    if (caller) recent.set(hash, caller)
    else recent.delete(hash)
    return caller
  } catch (error) {
    const known = duringOutage && recent.get(hash)
    if (!known) throw error
    return known
  }
}

/** How long the database may take before it counts as down. */
const databaseTimeout = 3 * second

async function findCaller({ db, now, cache }: Context, token: string): Promise<Caller | null> {
  const hash = hashSecret(token)
  const { row } = await cache.getUnrevised(`token ${hash}`, async () => ({ row: await findToken(db, hash) }))
  if (!row || (row.expires_at !== null && Date.parse(row.expires_at) <= now())) return null
  return {
    workspace: row.workspace_id,
    role: row.role,
    token: row.id,
    scopes: JSON.parse(row.scopes) as Scope[],
    userId: row.user_id,
    groups: JSON.parse(row.groups) as string[],
    rateLimit: row.rate_limit,
    name: row.name,
    configuration: row.configuration ?? 0,
  }
}

const findToken = (db: Db, hash: string) =>
  db
    .selectFrom('token')
    .select(['id', 'workspace_id', 'role', 'scopes', 'user_id', 'groups', 'name', 'rate_limit', 'expires_at'])
    .select((is) => configurationRevision(db, is.ref('token.workspace_id')))
    .where('hash', '=', hash)
    .executeTakeFirst()

const flushInterval = 30 * second

export function recordUse(ctx: Context, tokenId: string): void {
  const times = ctx.state.tokens.lastUsed
  if (times.size === 0)
    ctx.state.tokens.flushTimer = setTimeout(() => flushLastUsed(ctx).catch(() => {}), flushInterval).unref()
  times.set(tokenId, ctx.now())
}

export async function flushLastUsed(ctx: Context): Promise<void> {
  clearTimeout(ctx.state.tokens.flushTimer)
  const times = ctx.state.tokens.lastUsed
  if (times.size === 0) return
  const entries = [...times]
  times.clear()
  for (const [id, time] of entries) {
    await ctx.db
      .updateTable('token')
      .set({ last_used_at: timestamp(time) })
      .where('id', '=', id)
      .execute()
  }
}
