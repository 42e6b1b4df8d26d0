import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Caller, Context } from '../../kernel/context.ts'
import { forbidden, Problem } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import { type Db, inTransaction, type Tables } from '../../kernel/store/database.ts'
import { day, hour, second, timestamp } from '../../kernel/time.ts'
import { createAuthenticator } from '../tokens/authenticate.ts'
import { tokens } from '../tokens/service.ts'
import type { Grant } from './grant.ts'
import { noteRights } from './known-rights.ts'
import { removeExpiredLogins } from './login-cookie.ts'
import { openProviderTokens, sealProviderTokens } from './provider-tokens.ts'

const rememberedFor = 30 * day
/** A browser may stay open forever, and browsers that restore their tabs keep such cookies. */
const unrememberedFor = 7 * day

/** Using a session extends it, at most this often. */
export const extensionInterval = hour

/** How long a session lasts after its last request, in days. */
export const sessionDays = { remembered: rememberedFor / day, otherwise: unrememberedFor / day }

interface Lifetime {
  remember: boolean
  /** When it ends even if it is used. */
  ends_at: string | null
}

export function sessionExpiry({ remember, ends_at }: Lifetime, now: number): string {
  const expires = timestamp(now + (remember ? rememberedFor : unrememberedFor))
  return ends_at !== null && ends_at < expires ? ends_at : expires
}

/** Seconds until the cookie of a session expires; null: with the browser. */
export const cookieMaxAge = (remember: boolean): number | null => (remember ? rememberedFor / second : null)

interface NewSession {
  /** The session of this browser that the new one replaces. */
  replaces: string | null
  /** Set if the sign-in gets an audit entry of its own. */
  requestId?: string
}

/** Starts a session for the caller of a token. Its secret goes into the cookie; the database stores the hash. */
async function start(ctx: Context, session: NewSession & { token: string; remember: boolean }) {
  const { token, remember, ...more } = session
  const authenticated = await createAuthenticator(ctx)(token, { duringOutage: false })
  if (!authenticated) throw new Problem('invalid_token', 'The token is unknown, revoked or expired.')
  const { caller, isJwt } = authenticated
  if (caller.scopes?.length) forbidden('A token with scopes cannot sign in.')
  if (!isJwt) return insert(ctx, caller, { token_id: caller.token, remember }, more)
  const ends_at = timestamp((decodeJwt(token).exp ?? 0) * second)
  return insert(ctx, caller, { claims: serializeClaims(caller), ends_at, remember }, more)
}

/** Starts a session for a person who has signed in at the identity provider. */
async function startSignedIn(ctx: Context, { caller, grant, ...more }: NewSession & { caller: Caller; grant: Grant }) {
  const id = ctx.newId('ses')
  const lifetime =
    grant.refreshToken === null
      ? { ends_at: timestamp(grant.endsAt) }
      : { refresh_at: timestamp(grant.refreshAt), ends_at: null }
  const provider_tokens = sealProviderTokens(ctx, id, grant)
  return insert(
    ctx,
    caller,
    { id, claims: serializeClaims(caller), provider_tokens, remember: true, ...lifetime },
    more,
  )
}

/** Starts a session for a person who has accepted an invitation, which is the change that the audit log records. */
const startForToken = (ctx: Context, caller: Caller, { replaces }: Pick<NewSession, 'replaces'>, db: Db) =>
  insert(ctx, caller, { token_id: caller.token, remember: true }, { replaces }, db)

/** Encodes the caller in a session that has no token to look them up by. */
export const serializeClaims = ({ role, userId, groups, name }: Caller): string =>
  JSON.stringify({ role, userId, groups, name: name ?? null })

type Values = Pick<Tables['session'], 'remember'> & Partial<Tables['session']>

async function insert(
  ctx: Context,
  caller: Caller,
  values: Values,
  { replaces, requestId }: NewSession,
  db: Db = ctx.db,
) {
  const secret = randomBytes(32).toString('base64url')
  const { id = ctx.newId('ses'), remember, ends_at = null } = values
  const who: Caller = { ...caller, ...(requestId !== undefined && { requestId }), session: id }
  const now = ctx.now()
  await inTransaction(db, async (tx) => {
    if (replaces !== null) await tx.deleteFrom('session').where('hash', '=', hashSecret(replaces)).execute()
    const row = {
      workspace_id: who.workspace,
      hash: hashSecret(secret),
      subject: who.token,
      token_id: null,
      claims: null,
      created_at: timestamp(now),
      last_used_at: timestamp(now),
      expires_at: sessionExpiry({ remember, ends_at }, now),
      ...values,
      id,
      ends_at,
    }
    await tx.insertInto('session').values(row).execute()
    if (row.claims !== null) await noteRights(ctx, tx, row)
    await ctx.audit.record(tx, who, { action: 'sign in', kind: 'session', id })
  })
  return { secret, session: await get({ db }, who) }
}

async function get(ctx: Pick<Context, 'db'>, who: Caller) {
  const row =
    who.session === undefined
      ? undefined
      : await ctx.db
          .selectFrom('session')
          .select(['remember', 'created_at', 'expires_at'])
          .where('id', '=', who.session)
          .executeTakeFirst()
  return { ...(await tokens.me(ctx, who)), session: row ? { ...row, remember: Boolean(row.remember) } : null }
}

/** Ends this session, or all sessions of its token. Returns the ID token that it was started with, if any. */
async function end(ctx: Context, who: Caller, { everywhere }: { everywhere: boolean }) {
  const row = await ctx.db
    .selectFrom('session')
    .select(['id', 'provider_tokens'])
    .where('id', '=', who.session ?? '')
    .executeTakeFirst()
  await inTransaction(ctx.db, async (tx) => {
    const sessions = tx.deleteFrom('session').where('subject', '=', who.token)
    await (everywhere ? sessions : sessions.where('id', '=', who.session ?? '')).execute()
    const action = everywhere ? 'sign out everywhere' : 'sign out'
    await ctx.audit.record(tx, who, { action, kind: 'session', id: who.session ?? null })
  })
  return row?.provider_tokens ? openProviderTokens(ctx, row) : null
}

async function removeExpired(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('session').where('expires_at', '<=', timestamp(ctx.now())).execute()
  await removeExpiredLogins(ctx)
}

export const sessions = { start, startSignedIn, startForToken, get, end, removeExpired }
