import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { recordChange } from '../../kernel/store/audit.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { day, hour, second, timestamp } from '../../kernel/time.ts'
import { createAuthenticator } from '../tokens/authenticate.ts'
import { hashOf } from '../tokens/hash.ts'
import { tokens } from '../tokens/service.ts'

const rememberedFor = 30 * day
/** A browser may stay open forever, and browsers that restore their tabs keep such cookies. */
const unrememberedFor = 7 * day

/** Using a session extends it, at most this often. */
export const extensionInterval = hour

interface Lifetime {
  remember: boolean
  /** When it ends even if it is used. */
  ends_at: string | null
}

export function expiryOf({ remember, ends_at }: Lifetime, now: number): string {
  const expires = timestamp(now + (remember ? rememberedFor : unrememberedFor))
  return ends_at !== null && ends_at < expires ? ends_at : expires
}

/** Seconds until the cookie of a session expires; null: with the browser. */
export const maxAgeOf = (remember: boolean): number | null => (remember ? rememberedFor / second : null)

interface NewSession {
  token: string
  remember: boolean
  /** The session that this one replaces. */
  replaces: string | null
  requestId: string
}

/** Starts a session for the caller of a token. Its secret goes into the cookie; the database stores the hash. */
async function start(ctx: Context, { token, remember, replaces, requestId }: NewSession) {
  const found = await createAuthenticator(ctx)(token, { duringOutage: false })
  if (!found) throw new Problem('invalid_token', 'The token is unknown, revoked or expired.')
  const secret = randomBytes(32).toString('base64url')
  const now = ctx.now()
  const ends_at = found.isJwt ? timestamp((decodeJwt(token).exp ?? 0) * second) : null
  const who: Caller = { ...found.caller, requestId, session: ctx.newId('ses') }
  const { workspace, role, userId, groups, name } = who
  await inTransaction(ctx.db, async (tx) => {
    if (replaces !== null) await tx.deleteFrom('session').where('hash', '=', hashOf(replaces)).execute()
    await tx
      .insertInto('session')
      .values({
        id: who.session as string,
        workspace_id: workspace,
        hash: hashOf(secret),
        subject: who.token,
        token_id: found.isJwt ? null : who.token,
        claims: found.isJwt ? JSON.stringify({ role, userId, groups, name: name ?? null }) : null,
        remember,
        created_at: timestamp(now),
        last_used_at: timestamp(now),
        expires_at: expiryOf({ remember, ends_at }, now),
        ends_at,
      })
      .execute()
    await recordChange(ctx, tx, who, { action: 'sign in', kind: 'session', id: who.session as string })
  })
  return { secret, session: await get(ctx, who) }
}

async function get(ctx: Context, who: Caller) {
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

/** Ends this session, or all sessions of its token. */
async function end(ctx: Context, who: Caller, { everywhere }: { everywhere: boolean }): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const sessions = tx.deleteFrom('session').where('subject', '=', who.token)
    await (everywhere ? sessions : sessions.where('id', '=', who.session ?? '')).execute()
    const action = everywhere ? 'sign out everywhere' : 'sign out'
    await recordChange(ctx, tx, who, { action, kind: 'session', id: who.session ?? null })
  })
}

async function removeExpired({ db, now }: Context): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', timestamp(now())).execute()
}

export const sessions = { start, get, end, removeExpired }
