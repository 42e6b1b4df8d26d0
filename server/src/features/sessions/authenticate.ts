import type { Caller, Context, Role } from '../../kernel/context.ts'
import type { AccessSettings } from '../../kernel/http/access.ts'
import type { Db } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import { rememberRecent } from '../tokens/authenticate.ts'
import { hashOf } from '../tokens/hash.ts'
import { recordUse } from '../tokens/last-used.ts'
import { refreshed } from './refresh.ts'
import { expiryOf, extensionInterval, maxAgeOf } from './service.ts'

/** Finds the caller of a session cookie by one read, like the caller of a token: ending a session takes effect at once. */
export function createSessionAuthenticator(ctx: Context): AccessSettings['authenticateSession'] {
  return async (secret, { duringOutage }) => {
    const hash = hashOf(secret)
    let renewed: { maxAge: number | null } | null = null
    const find = async (): Promise<Caller | null> => {
      const stored = await ctx.cache.get(`session ${hash}`, async () => ({ row: await findSession(ctx.db, hash) }))
      if (!stored.row || isPast(ctx, stored.row.expires_at) || isPast(ctx, stored.row.token_expires_at)) return null
      const row = isPast(ctx, stored.row.refresh_at) ? await refreshed(ctx, stored.row) : stored.row
      if (!row) return null
      recordUse(ctx, row.subject)
      if (ctx.now() - Date.parse(row.last_used_at) >= extensionInterval) {
        await extend(ctx, row)
        renewed = { maxAge: maxAgeOf(Boolean(row.remember)) }
      }
      return callerOf(row)
    }
    const caller = await rememberRecent(ctx, hash, duringOutage, find)
    return caller && { caller, renewed }
  }
}

const isPast = ({ now }: Context, time: string | null): boolean => time !== null && Date.parse(time) <= now()

type Row = NonNullable<Awaited<ReturnType<typeof findSession>>>

type Claims = Pick<Caller, 'role' | 'userId' | 'name' | 'groups'>

function callerOf(row: Row): Caller {
  const common = { workspace: row.workspace_id, token: row.subject, session: row.id, rateLimit: row.rate_limit }
  if (row.claims !== null) return { ...common, ...(JSON.parse(row.claims) as Claims) }
  const groups = JSON.parse(row.groups ?? '[]') as string[]
  return { ...common, role: row.role as Role, userId: row.user_id, groups, name: row.name }
}

/** The next request tries again if it fails. */
async function extend({ db, now, log }: Context, row: Row): Promise<void> {
  const extended = {
    last_used_at: timestamp(now()),
    expires_at: expiryOf({ ...row, remember: Boolean(row.remember) }, now()),
  }
  try {
    await db
      .updateTable('session')
      .set(extended)
      .where('id', '=', row.id)
      .where('last_used_at', '=', row.last_used_at)
      .execute()
  } catch (error) {
    log.warn({ err: error }, 'a session could not be extended')
  }
}

const findSession = (db: Db, hash: string) =>
  db
    .selectFrom('session')
    .leftJoin('token', 'token.id', 'session.token_id')
    .select([
      'session.id',
      'session.workspace_id',
      'session.subject',
      'session.claims',
      'session.remember',
      'session.last_used_at',
      'session.expires_at',
      'session.ends_at',
      'session.provider_tokens',
      'session.refresh_at',
      'session.refresh_lease',
      'token.role',
      'token.user_id',
      'token.groups',
      'token.name',
      'token.rate_limit',
      'token.expires_at as token_expires_at',
    ])
    .where('session.hash', '=', hash)
    .executeTakeFirst()
