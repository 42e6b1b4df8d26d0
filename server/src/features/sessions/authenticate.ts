import { isBound } from '../../kernel/access.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { AccessSettings } from '../../kernel/http/access.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import { configurationRevision } from '../../kernel/store/configuration.ts'
import type { Db } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import { recordUse, rememberRecent } from '../tokens/authenticate.ts'
import { findToken } from '../tokens/service.ts'
import { refreshed } from './refresh.ts'
import { cookieMaxAge, extensionInterval, sessionExpiry } from './service.ts'

/** Finds the caller of a session cookie by one read, like the caller of a token: ending a session takes effect at once. */
export function createSessionAuthenticator(ctx: Context): AccessSettings['authenticateSession'] {
  return async (secret, { duringOutage }) => {
    const hash = hashSecret(secret)
    let renewed: { maxAge: number | null } | null = null
    const find = async (): Promise<Caller | null> => {
      const stored = await ctx.cache.getUnrevised(`session ${hash}`, async () => ({
        row: await findSession(ctx.db, hash),
      }))
      if (!stored.row || isPast(ctx, stored.row.expires_at) || isPast(ctx, stored.row.token?.expires_at ?? null))
        return null
      const row = isPast(ctx, stored.row.refresh_at) ? await refreshed(ctx, stored.row) : stored.row
      if (!row) return null
      recordUse(ctx, row.subject)
      if (ctx.now() - Date.parse(row.last_used_at) >= extensionInterval) {
        await extend(ctx, row)
        renewed = { maxAge: cookieMaxAge(Boolean(row.remember)) }
      }
      return toCaller(row)
    }
    const caller = await rememberRecent(ctx, hash, duringOutage, find)
    return caller && { caller, renewed }
  }
}

const isPast = ({ now }: Context, time: string | null): boolean => time !== null && Date.parse(time) <= now()

type Row = NonNullable<Awaited<ReturnType<typeof findSession>>>

type Claims = Pick<Caller, 'role' | 'userId' | 'name' | 'groups'>

function toCaller(row: Row): Caller {
  const { token } = row
  const common = {
    workspace: row.workspace_id,
    token: row.subject,
    session: row.id,
    rateLimit: token?.rate_limit ?? null,
    configuration: row.configuration ?? 0,
  }
  if (!token) return { ...common, ...(JSON.parse(row.claims ?? '{}') as Claims) }
  const groups = JSON.parse(token.groups) as string[]
  return { ...common, role: token.role, userId: token.user_id, groups, name: token.name }
}

/** The next request tries again if it fails. */
async function extend({ db, now, log }: Context, row: Row): Promise<void> {
  const extended = {
    last_used_at: timestamp(now()),
    expires_at: sessionExpiry({ ...row, remember: Boolean(row.remember) }, now()),
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

async function findSession(db: Db, hash: string) {
  const session = await db
    .selectFrom('session')
    .select([
      'id',
      'workspace_id',
      'token_id',
      'subject',
      'claims',
      'remember',
      'last_used_at',
      'expires_at',
      'ends_at',
      'provider_tokens',
      'refresh_at',
      'refresh_lease',
    ])
    .select((is) => configurationRevision(db, is.ref('session.workspace_id')))
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!session?.token_id) return session && { ...session, token: null }
  const token = await findToken(db, session.workspace_id, session.token_id)
  return token && { ...session, token }
}

/**
 * The caller with the groups that its token or session has now. A turn can take minutes, and
 * its next search must respect what was revoked meanwhile. The groups of a JWT that was sent with the request are in the JWT.
 */
export async function upToDate<Who extends Caller>(ctx: Context, who: Who): Promise<Who> {
  if (!isBound(who) || who.seenAs) return who
  const token = await ctx.cache.getUnrevised(`groups ${who.token}`, async () => ({
    row: await findToken(ctx.db, who.workspace, who.token),
  }))
  if (token.row) {
    const isExpired = token.row.expires_at !== null && Date.parse(token.row.expires_at) <= ctx.now()
    return isExpired ? stranger(who) : { ...who, groups: JSON.parse(token.row.groups) as string[] }
  }
  if (!isOfIssuer(who)) return stranger(who)
  return who.session === undefined ? who : withSessionGroups(ctx, who, who.session)
}

async function withSessionGroups<Who extends Caller>(ctx: Context, who: Who, session: string): Promise<Who> {
  const row = await ctx.db
    .selectFrom('session')
    .select('claims')
    .where('workspace_id', '=', who.workspace)
    .where('id', '=', session)
    .executeTakeFirst()
  if (!row) return stranger(who)
  const { groups = [] } = JSON.parse(row.claims ?? '{}') as { groups?: string[] }
  return { ...who, groups }
}

export const isOfIssuer = ({ token }: Caller): boolean => token.startsWith('oidc:')

/** The caller without groups, who sees only what everyone may see. */
const stranger = <Who extends Caller>(who: Who): Who => ({ ...who, userId: null, groups: [] })
