import { createHash, randomBytes } from 'node:crypto'
import type { Caller, Context } from '../../kernel/context.ts'
import { hashSecret } from '../../kernel/secrets/secrets.ts'
import { type Db, inTransaction, type Tables } from '../../kernel/store/database.ts'
import { day, minute, second, timestamp } from '../../kernel/time.ts'
import { clientTokenLifetime, createClientToken, findClientToken, renewClientToken } from '../tokens/clients.ts'
import { findHolder, type Holder, tokens } from '../tokens/service.ts'
import { OAuthProblem } from './errors.ts'
import { redirectHost } from './redirects.ts'
import type { AuthorizationRequest } from './request.ts'

const codeLifetime = 5 * minute
const refreshLifetime = 30 * day
const secretLength = 43

type Grant = Tables['oauth_grant']

/** Keeps what a person allowed, and returns the code that the client exchanges for a token. */
export async function createGrant(
  ctx: Context,
  who: Caller,
  { client, redirectUri, challenge }: Omit<AuthorizationRequest, 'state'>,
) {
  const code = newSecret()
  const now = ctx.now()
  const id = ctx.newId('grt')
  await inTransaction(ctx.db, async (tx) => {
    const row = {
      id,
      workspace_id: who.workspace,
      person_token_id: who.token,
      token_id: null,
      client_id: hashSecret(client.id),
      client_name: client.name,
      client_host: client.host ?? redirectHost(redirectUri),
      redirect_uri: redirectUri,
      challenge,
      code_hash: hashSecret(code),
      family_hash: null,
      refresh_hash: null,
      expires_at: timestamp(now + codeLifetime),
      created_at: timestamp(now),
    }
    await tx.insertInto('oauth_grant').values(row).execute()
    await ctx.audit.record(tx, who, { action: 'allow', kind: 'client', id })
  })
  return code
}

interface Exchange {
  code: string
  verifier: string
  clientId: string
  /** Compared if the client sends it. */
  redirectUri: string | undefined
  requestId: string
}

/** Exchanges a code. A code that comes a second time was stolen, now or before: what it made is revoked. */
export async function exchangeCode(ctx: Context, { code, verifier, clientId, redirectUri, requestId }: Exchange) {
  const grant = await findGrant(ctx.db, 'code_hash', code)
  if (!grant || grant.client_id !== hashSecret(clientId)) throw invalidGrant('code')
  if (grant.token_id !== null) {
    await revoke(ctx, grant, requestId)
    throw invalidGrant('code')
  }
  const isProven = createHash('sha256').update(verifier).digest('base64url') === grant.challenge
  const isExpired = Date.parse(grant.expires_at) <= ctx.now()
  if (isExpired || !isProven || (redirectUri !== undefined && redirectUri !== grant.redirect_uri))
    throw invalidGrant('code')
  const made = await inTransaction(ctx.db, async (tx) => {
    const person = await findPerson(ctx, tx, grant, requestId)
    // Only one of two requests with the same code claims it: the other waits for the row and then finds it used.
    const claimed = await tx
      .updateTable('oauth_grant')
      .set({ family_hash: hashSecret(code) })
      .where('id', '=', grant.id)
      .where('family_hash', 'is', null)
      .executeTakeFirst()
    if (Number(claimed.numUpdatedRows) !== 1) return null
    const client = { name: grant.client_name, host: grant.client_host }
    const { id, secret } = await createClientToken(ctx, tx, person, client)
    const family = newSecret()
    const refresh = newRefreshToken(family)
    await tx
      .updateTable('oauth_grant')
      .set({ token_id: id, family_hash: hashSecret(family), ...storedRefresh(ctx, refresh) })
      .where('id', '=', grant.id)
      .execute()
    return tokenResponse(secret, refresh)
  })
  if (made) return made
  const used = await findGrant(ctx.db, 'code_hash', code)
  if (used) await revoke(ctx, used, requestId)
  throw invalidGrant('code')
}

/** Replaces both tokens. A refresh token that comes a second time was stolen, now or before: the client is disconnected. */
export async function refreshTokens(
  ctx: Context,
  { refreshToken, clientId, requestId }: { refreshToken: string; clientId: string; requestId: string },
) {
  const family = familyPart(refreshToken)
  const grant = family === null ? undefined : await findGrant(ctx.db, 'family_hash', family)
  if (family === null || !grant?.token_id || grant.client_id !== hashSecret(clientId))
    throw invalidGrant('refresh token')
  if (Date.parse(grant.expires_at) <= ctx.now()) throw invalidGrant('refresh token')
  const tokenId = grant.token_id
  const renewed = await inTransaction(ctx.db, async (tx) => {
    const person = await findPerson(ctx, tx, grant, requestId)
    const refresh = newRefreshToken(family)
    const replaced = await tx
      .updateTable('oauth_grant')
      .set(storedRefresh(ctx, refresh))
      .where('id', '=', grant.id)
      .where('refresh_hash', '=', hashSecret(refreshToken))
      .executeTakeFirst()
    if (Number(replaced.numUpdatedRows) !== 1) return null
    return tokenResponse(await renewClientToken(ctx, tx, tokenId, person), refresh)
  })
  if (renewed) return renewed
  await revoke(ctx, grant, requestId)
  throw invalidGrant('refresh token')
}

/** Disconnects the client that one of its tokens belongs to (RFC 7009). An unknown token is no error. */
export async function revokeToken(ctx: Context, token: string, requestId: string): Promise<void> {
  const family = familyPart(token)
  const byRefresh = family === null ? undefined : await findGrant(ctx.db, 'family_hash', family)
  if (byRefresh) return revoke(ctx, byRefresh, requestId)
  const access = await findClientToken(ctx.db, token)
  if (access?.parent_id) {
    await revoke(ctx, { ...access, token_id: access.id, person_token_id: access.parent_id }, requestId)
  }
}

/** Removes codes that nobody exchanged, and clients that have not been used for the lifetime of a refresh token. */
export async function removeExpiredGrants(ctx: Context): Promise<void> {
  const expired = await ctx.db
    .selectFrom('oauth_grant')
    .select(['id', 'workspace_id', 'token_id', 'person_token_id'])
    .where('expires_at', '<=', timestamp(ctx.now()))
    .execute()
  for (const grant of expired) {
    if (grant.token_id !== null) await revoke(ctx, grant)
    await ctx.db.deleteFrom('oauth_grant').where('id', '=', grant.id).execute()
  }
}

/** The grant goes with its token. */
async function revoke(
  ctx: Context,
  grant: Pick<Grant, 'workspace_id' | 'token_id' | 'person_token_id'>,
  requestId?: string,
): Promise<void> {
  if (grant.token_id === null) return
  const person = await findHolder(ctx, ctx.db, grant.workspace_id, grant.person_token_id)
  const who: Caller = person ?? { ...service, workspace: grant.workspace_id }
  await tokens.remove(ctx, { ...who, ...(requestId !== undefined && { requestId }) }, grant.token_id)
}

/** Acts where the person's own token has expired. */
const service: Omit<Caller, 'workspace'> = { role: 'owner', token: 'oauth', userId: null, groups: [], rateLimit: null }

async function findPerson(ctx: Context, tx: Db, grant: Grant, requestId: string): Promise<Holder> {
  const person = await findHolder(ctx, tx, grant.workspace_id, grant.person_token_id)
  if (!person) throw invalidGrant('sign-in of the person')
  return { ...person, requestId }
}

const findGrant = (db: Db, column: 'code_hash' | 'family_hash', secret: string): Promise<Grant | undefined> =>
  db.selectFrom('oauth_grant').selectAll().where(column, '=', hashSecret(secret)).executeTakeFirst()

const newSecret = (): string => randomBytes(32).toString('base64url')

/** All refresh tokens of a grant begin with the same secret, so that an earlier one is recognized without storing each. */
const newRefreshToken = (family: string): string => `${family}.${newSecret()}`

const familyPart = (refreshToken: string): string | null =>
  refreshToken[secretLength] === '.' ? refreshToken.slice(0, secretLength) : null

const storedRefresh = ({ now }: Context, refreshToken: string) => ({
  refresh_hash: hashSecret(refreshToken),
  expires_at: timestamp(now() + refreshLifetime),
})

const tokenResponse = (accessToken: string, refreshToken: string) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: clientTokenLifetime / second,
  refresh_token: refreshToken,
  scope: 'mcp',
})

const invalidGrant = (what: string) =>
  new OAuthProblem('invalid_grant', `The ${what} is unknown, was used already or has expired. Ask the person again.`)
