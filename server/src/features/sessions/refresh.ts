import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../kernel/context.ts'
import { minute, second, timestamp } from '../../kernel/time.ts'
import { identify } from '../tokens/claims.ts'
import { unreachable } from '../tokens/issuer.ts'
import { explained, type Grant, NotSignedIn } from './grant.ts'
import { noteRights } from './known-rights.ts'
import { openProviderTokens, sealProviderTokens } from './provider-tokens.ts'
import { serializeClaims } from './service.ts'

/** A session whose tokens of the provider may have expired. */
export interface Refreshable {
  id: string
  workspace_id: string
  claims: string | null
  subject: string
  provider_tokens: string | null
  refresh_at: string | null
  refresh_lease: string | null
}

/** While the provider cannot be reached, a session keeps working for this long after its tokens expired. */
const grace = 15 * minute
/** Other requests and nodes leave a refresh to the one that has the lease. All requests to the provider end before it does. */
const leaseFor = minute
const retryAfter = 30 * second

/**
 * Asks the provider whether the person of this session still has access, and for their current role and groups. Returns
 * null if the session has ended. Only one request of all nodes asks, because most refresh tokens can be used once.
 */
export function refreshed<Row extends Refreshable>(ctx: Context, row: Row): Promise<Row | null> {
  const { refreshing } = ctx.state.sessions
  const running = refreshing.get(row.id) ?? refresh(ctx, row).finally(() => refreshing.delete(row.id))
  refreshing.set(row.id, running)
  return running as Promise<Row | null>
}

async function refresh(ctx: Context, row: Refreshable): Promise<Refreshable | null> {
  const isMine = !isLeased(ctx, row) && (await takeLease(ctx, row))
  if (!isMine) return isInGrace(ctx, row) ? row : waitForOther(ctx, row)
  try {
    const grant = await askProvider(ctx, row)
    const identity = ctx.config.oidc && (await identify(ctx, ctx.config.oidc, grant.claims))
    if (!identity?.caller) throw new NotSignedIn('The person has no role or workspace any more.')
    const { workspace } = identity.caller
    if (workspace !== row.workspace_id) await noteRights(ctx, ctx.db, { ...row, claims: null })
    return store(ctx, { ...row, workspace_id: workspace, claims: serializeClaims(identity.caller) }, grant)
  } catch (error) {
    if (error instanceof NotSignedIn) return end(ctx, row, error)
    ctx.log.warn({ reason: explained(error), session: row.id }, 'a session could not be refreshed')
    const mayContinue = isInGrace(ctx, row)
    await setLease(ctx, row.id, mayContinue ? timestamp(ctx.now() + retryAfter) : null)
    if (mayContinue) return row
    throw unreachable(error)
  }
}

const isInGrace = ({ now }: Context, { refresh_at }: Refreshable): boolean =>
  now() < Date.parse(refresh_at ?? '') + grace

/** Whether another request is refreshing the session, or failed to a moment ago. */
const isLeased = ({ now }: Context, { refresh_lease }: Pick<Refreshable, 'refresh_lease'>): boolean =>
  refresh_lease !== null && Date.parse(refresh_lease) > now()

async function takeLease({ db, now }: Context, row: Refreshable): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ refresh_lease: timestamp(now() + leaseFor) })
    .where('id', '=', row.id)
    .where('refresh_at', '=', row.refresh_at)
    .where((is) => is.or([is('refresh_lease', 'is', null), is('refresh_lease', '<=', timestamp(now()))]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const setLease = ({ db }: Context, id: string, lease: string | null) =>
  db.updateTable('session').set({ refresh_lease: lease }).where('id', '=', id).execute()

async function askProvider(ctx: Context, row: Refreshable): Promise<Grant> {
  const provider = await ctx.state.sessions.provider?.()
  const tokens = openProviderTokens(ctx, row)
  if (!provider || tokens?.refreshToken == null) throw new NotSignedIn('The session cannot be refreshed any more.')
  const keep = async (refreshToken: string): Promise<void> => {
    const provider_tokens = sealProviderTokens(ctx, row.id, { ...tokens, refreshToken })
    await ctx.db.updateTable('session').set({ provider_tokens }).where('id', '=', row.id).execute()
  }
  const grant = await provider.refresh(tokens.refreshToken, row.subject.replace(/^oidc:/, ''), keep)
  return { ...grant, idToken: grant.idToken ?? tokens.idToken }
}

/** Null if the person has signed out meanwhile. */
async function store(ctx: Context, row: Refreshable, grant: Grant): Promise<Refreshable | null> {
  const { workspace_id, claims } = row
  const changed = {
    workspace_id,
    claims,
    provider_tokens: sealProviderTokens(ctx, row.id, grant),
    refresh_at: timestamp(grant.refreshAt),
    refresh_lease: null,
  }
  const { numUpdatedRows } = await ctx.db
    .updateTable('session')
    .set(changed)
    .where('id', '=', row.id)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await noteRights(ctx, ctx.db, row)
  return numUpdatedRows > 0n ? { ...row, ...changed } : null
}

/** Ends the session. If it was the last one of the person, they have no access any more. */
async function end(ctx: Context, row: Refreshable, error: NotSignedIn): Promise<null> {
  const { db, log } = ctx
  const { id, workspace_id, subject } = row
  log.info({ session: id, subject, reason: error.message }, 'the identity provider ended a session')
  await db.deleteFrom('session').where('id', '=', id).execute()
  const others = db.selectFrom('session').select('id').where('workspace_id', '=', workspace_id)
  const other = await others.where('subject', '=', subject).limit(1).executeTakeFirst()
  if (!other) await noteRights(ctx, db, { ...row, claims: null })
  return null
}

/** Waits for the request that refreshes this session, and refreshes it itself if that one fails or dies. */
async function waitForOther(ctx: Context, row: Refreshable): Promise<Refreshable | null> {
  for (;;) {
    await delay(50)
    const current = await ctx.db
      .selectFrom('session')
      .select(['workspace_id', 'claims', 'provider_tokens', 'refresh_at', 'refresh_lease'])
      .where('id', '=', row.id)
      .executeTakeFirst()
    if (!current) return null
    const seen = { ...row, ...current }
    if (current.refresh_at !== row.refresh_at) return seen
    if (!isLeased(ctx, current)) return refresh(ctx, seen)
  }
}
