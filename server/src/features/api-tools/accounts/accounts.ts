import { setTimeout as delay } from 'node:timers/promises'
import type { Need } from '../../../kernel/agent/needs.ts'
import type { CallPurpose } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { allows } from '../../../kernel/http/permissions.ts'
import { hashSecret } from '../../../kernel/secrets/secrets.ts'
import { minute, second, timestamp } from '../../../kernel/time.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { CallError } from '../errors.ts'
import { apiTools } from '../service.ts'
import { callbackPath, covers, findOAuthClient, findTarget, takesResource } from './discovery.ts'
import {
  type ConnectionRow,
  changeConnection,
  findConnection,
  type Grant,
  insertFlow,
  openGrant,
  removeClient,
  sealGrant,
  takeLease,
} from './store.ts'

/** The library of OAuth is loaded when it is needed. */
const protocol = () => import('./provider.ts')

/** Tokens are renewed this long before they expire. */
const renewalMargin = 30 * second
/** All requests to the provider end before the lease does. */
const leaseFor = minute
const useIsNotedEvery = minute
/** An API that refuses a token that the person has just granted refuses the call. */
const freshFor = minute

/** A call needs an account that is not connected, or not any more. */
export class NotConnected extends Problem {
  readonly tool: ApiToolRow
  readonly userId: string | null

  constructor(tool: ApiToolRow, userId: string | null) {
    super(
      'provider_error',
      `No account is connected for "${tool.name}". Connect one under Settings, Connected accounts.`,
    )
    this.tool = tool
    this.userId = userId
  }
}

/** A person, or the workspace (null), that a tool acts for. */
export interface Account {
  workspace: string
  toolId: string
  userId: string | null
}

export const usesAccount = ({ auth }: Pick<ApiToolRow, 'auth'>): boolean => auth.type === 'oauth2'

/**
 * The user whose account a call uses: that of the conversation, or the caller outside of one. Nobody acts with the account of
 * somebody else, so a person who writes in the conversation of another one gets an error.
 */
export function accountUser(who: Caller, { auth, name }: ApiToolRow, purpose?: CallPurpose): string | null {
  if (auth.account === 'workspace') return null
  const userId = (purpose?.conversationId ? purpose.userId : (purpose?.userId ?? who.userId)) ?? null
  if (userId === null)
    throw new CallError(
      `"${name}" uses the account of the person who asks, and this conversation has no user. Start a conversation with a user_id.`,
    )
  if (who.userId !== null && who.userId !== userId)
    throw new CallError(
      `"${name}" uses the account of the person who asks, and this conversation belongs to another person.`,
    )
  return userId
}

/** The connected accounts: their tokens, and the flows that connect them. */
export class Accounts {
  readonly #ctx: Context
  /** Called when an account was connected, on the node that took the callback. */
  onConnected: (account: Account) => Promise<void> = async () => {}

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Whether a call of the tool has a token, and no server has asked for more scopes since. */
  async isConnected(workspace: string, tool: ApiToolRow, userId: string | null): Promise<boolean> {
    const row = await findConnection(this.#ctx.db, workspace, tool.id, userId)
    return row !== undefined && this.#grantFor(workspace, tool, row) !== null && missingScopes(row).length === 0
  }

  /** The same of the tool as it is now. */
  async isConnectedNow({ workspace, toolId, userId }: Account): Promise<boolean> {
    const tool = await apiTools.find(this.#ctx.db, { workspace }, toolId)
    return tool !== undefined && this.isConnected(workspace, tool, userId)
  }

  /** The grant of a connection, if it is for the tool as it is now: its address and its scopes may have changed. */
  #grantFor(workspace: string, tool: ApiToolRow, row: ConnectionRow): Grant | null {
    if (row.status !== 'connected' || !covers(row.resource, tool.url)) return null
    const grant = openGrant(this.#ctx, workspace, row)
    const { asked } = grant ?? {}
    const isMissing = (scope: string) => asked && !asked.includes(scope) && !row.scopes.includes(scope)
    return tool.auth.scopes?.some(isMissing) ? null : grant
  }

  /** An access token for the resource of the tool. `renew` replaces one that was refused. */
  async token(workspace: string, tool: ApiToolRow, userId: string | null, { renew = false } = {}): Promise<string> {
    const ctx = this.#ctx
    const row = await findConnection(ctx.db, workspace, tool.id, userId)
    const grant = row ? this.#grantFor(workspace, tool, row) : null
    if (!row || !grant) throw new NotConnected(tool, userId)
    const isPast = row.expires_at !== null && row.expires_at - renewalMargin <= ctx.now()
    const isFresh = ctx.now() - Date.parse(row.connected_at) < freshFor
    if (isPast || (renew && !isFresh)) return this.#renew(workspace, tool, row)
    await this.#noteUse(workspace, row)
    return grant.accessToken
  }

  /** The server wants more scopes for a call than the person has granted (RFC 6750). */
  async requireScopes(workspace: string, tool: ApiToolRow, userId: string | null, scopes: string[]): Promise<never> {
    const row = await findConnection(this.#ctx.db, workspace, tool.id, userId)
    if (row) {
      const { asked = [] } = openGrant(this.#ctx, workspace, row) ?? {}
      const granted = new Set([...row.scopes, ...asked])
      if (scopes.every((scope) => granted.has(scope)))
        throw new CallError(`"${tool.name}" refuses the account, although it was asked for the scopes that it names.`)
      const required_scopes = JSON.stringify([...new Set([...row.scopes, ...scopes])])
      await changeConnection(this.#ctx, workspace, row.id, { required_scopes })
    }
    throw new NotConnected(tool, userId)
  }

  async #noteUse(workspace: string, { id, last_used_at }: ConnectionRow): Promise<void> {
    const now = this.#ctx.now()
    if (last_used_at !== null && now - Date.parse(last_used_at) < useIsNotedEvery) return
    await changeConnection(this.#ctx, workspace, id, { last_used_at: timestamp(now) })
  }

  /** Only one request of all nodes renews, because most refresh tokens can be used once. The others wait for its result. */
  async #renew(workspace: string, tool: ApiToolRow, row: ConnectionRow): Promise<string> {
    const ctx = this.#ctx
    const grant = openGrant(ctx, workspace, row)
    if (!grant || !(await takeLease(ctx, workspace, row, ctx.now() + leaseFor)))
      return this.#follow(workspace, tool, row)
    const { ClientRefused, GrantRefused, refreshTokens } = await protocol()
    try {
      const resource = takesResource(grant.server) ? row.resource : null
      const { accessToken, refreshToken, expiresAt } = await refreshTokens(ctx, grant, resource)
      const next = { ...grant, accessToken, refreshToken: refreshToken ?? grant.refreshToken }
      const sealed = sealGrant(ctx, workspace, row.id, next)
      const last_used_at = timestamp(ctx.now())
      await changeConnection(ctx, workspace, row.id, {
        sealed,
        expires_at: expiresAt,
        refresh_lease: null,
        last_used_at,
      })
      return accessToken
    } catch (error) {
      const { server, client } = grant
      const isOurClient = error instanceof ClientRefused && client.id !== tool.auth.client_id
      if (!(error instanceof GrantRefused || isOurClient)) {
        await changeConnection(ctx, workspace, row.id, { refresh_lease: null })
        throw error
      }
      // It registers itself again when the account is connected the next time.
      if (isOurClient) await removeClient(ctx, { workspace, toolId: tool.id, issuer: server.issuer }, client.id)
      await this.#end(workspace, row, grant.refreshToken === null ? 'expired' : 'revoked', error)
      throw new NotConnected(tool, row.user_id)
    }
  }

  async #end(workspace: string, row: ConnectionRow, status: 'expired' | 'revoked', error: Error): Promise<void> {
    this.#ctx.log.info({ connection: row.id, reason: error.message }, 'a connected account has ended')
    await changeConnection(this.#ctx, workspace, row.id, { status, sealed: null, refresh_lease: null })
  }

  /** Waits for the request that renews this connection, and renews it itself if that one fails or dies. */
  async #follow(workspace: string, tool: ApiToolRow, row: ConnectionRow): Promise<string> {
    const ctx = this.#ctx
    for (;;) {
      await delay(50)
      const now = await findConnection(ctx.db, workspace, tool.id, row.user_id)
      if (now?.status !== 'connected') throw new NotConnected(tool, row.user_id)
      const isRenewed = now.sealed !== row.sealed
      if (isRenewed) return (openGrant(ctx, workspace, now) ?? notConnected(tool, row.user_id)).accessToken
      if (now.refresh_lease === null || now.refresh_lease <= ctx.now()) return this.#renew(workspace, tool, now)
    }
  }

  /** Begins a connection. Returns the address that the person opens. */
  async begin(
    { workspace, userId }: Pick<Account, 'workspace' | 'userId'>,
    tool: ApiToolRow,
    origin: string,
    validFor: number,
  ): Promise<string> {
    const ctx = this.#ctx
    const target = await findTarget(ctx, tool)
    const client = await findOAuthClient(ctx, workspace, tool, target, origin)
    const { server, isGiven, resource } = target
    const known = await findConnection(ctx.db, workspace, tool.id, userId)
    const scopes = [...new Set([...target.scopes, ...(known ? requiredScopes(known) : [])])]
    const flow = { server, isGiven, client, resource, scopes, redirectUri: `${origin}${callbackPath}` }
    const { authorizationUrl } = await protocol()
    const { url, state, verifier } = await authorizationUrl(ctx, flow)
    const row = { id: hashSecret(state), workspace, toolId: tool.id, userId, expiresAt: ctx.now() + validFor }
    await insertFlow(ctx, row, { ...flow, verifier })
    return url
  }

  /** The need of a call whose account is not connected. Callers who may not connect it get no address. */
  async need(who: Caller, { tool, userId }: NotConnected): Promise<Need> {
    const origin = this.#ctx.config.publicUrl ?? who.origin
    const mayConnect = userId !== null || allows('write-configuration', who.role)
    const validFor = tool.approval_timeout_minutes * minute
    const authorizeUrl =
      origin !== undefined && mayConnect
        ? await this.begin({ workspace: who.workspace, userId }, tool, origin, validFor)
        : null
    return { kind: 'connection', connection: { toolId: tool.id, name: tool.name, userId, authorizeUrl } }
  }
}

/** The scopes that a server asks for because the token has too few (RFC 6750). Null: it refuses for another reason. */
export function challengedScopes(challenge: string | null | undefined): string[] | null {
  if (!challenge) return null
  if (!/\berror="?insufficient_scope"?/i.test(challenge)) return null
  const [, scope = ''] = /\bscope="([^"]{1,2000})"/i.exec(challenge) ?? []
  const scopes = scope.split(' ').filter((each) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(each))
  return scopes.length > 0 ? scopes : null
}

const requiredScopes = ({ required_scopes }: ConnectionRow): string[] => JSON.parse(required_scopes) as string[]

const missingScopes = (row: ConnectionRow): string[] =>
  requiredScopes(row).filter((scope) => !row.scopes.includes(scope))

function notConnected(tool: ApiToolRow, userId: string | null): never {
  throw new NotConnected(tool, userId)
}
