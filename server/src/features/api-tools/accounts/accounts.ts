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
import { callbackPath, covers, findOAuthClient, findTarget } from './discovery.ts'
import type { GrantRefused } from './provider.ts'
import {
  type ConnectionRow,
  changeConnection,
  findConnection,
  insertFlow,
  openGrant,
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
 * Whose account a call uses: that of the user of the conversation, or of the caller outside of one. Nobody acts with the
 * account of somebody else: a person who writes in the conversation of another one gets an error.
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

  async isConnected(workspace: string, toolId: string, userId: string | null): Promise<boolean> {
    const row = await findConnection(this.#ctx.db, workspace, toolId, userId)
    return row?.status === 'connected'
  }

  /** An access token for the resource of the tool. `renew` replaces one that was refused. */
  async token(workspace: string, tool: ApiToolRow, userId: string | null, { renew = false } = {}): Promise<string> {
    const ctx = this.#ctx
    const row = await findConnection(ctx.db, workspace, tool.id, userId)
    if (row?.status !== 'connected' || !covers(row.resource, tool.url)) throw new NotConnected(tool, userId)
    const grant = openGrant(ctx, workspace, row)
    if (grant === null) throw new NotConnected(tool, userId)
    const isPast = row.expires_at !== null && row.expires_at - renewalMargin <= ctx.now()
    const isFresh = ctx.now() - Date.parse(row.connected_at) < freshFor
    if (isPast || (renew && !isFresh)) return this.#renew(workspace, tool, row)
    await this.#noteUse(workspace, row)
    return grant.accessToken
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
    const { GrantRefused, refreshTokens } = await protocol()
    try {
      const { accessToken, refreshToken, expiresAt } = await refreshTokens(ctx, grant, row.resource)
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
      if (!(error instanceof GrantRefused)) {
        await changeConnection(ctx, workspace, row.id, { refresh_lease: null })
        throw error
      }
      await this.#end(workspace, row, grant.refreshToken === null ? 'expired' : 'revoked', error)
      throw new NotConnected(tool, row.user_id)
    }
  }

  async #end(workspace: string, row: ConnectionRow, status: 'expired' | 'revoked', error: GrantRefused): Promise<void> {
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
    const { server, resource, scopes } = target
    const flow = { server, client, resource, scopes, redirectUri: `${origin}${callbackPath}` }
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

function notConnected(tool: ApiToolRow, userId: string | null): never {
  throw new NotConnected(tool, userId)
}
