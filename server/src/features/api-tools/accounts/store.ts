import type { Context } from '../../../kernel/context.ts'
import { sealedColumn } from '../../../kernel/secrets/sealed.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { resourceTable, type Stored } from '../../../kernel/store/table.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { Connection } from './schema.ts'

/** Tokens and how to renew them. They are bound to the server that issued them: later discoveries cannot move them. */
export interface Grant {
  accessToken: string
  refreshToken: string | null
  server: AuthorizationServer
  client: OAuthClient
  /** The scopes that the person was asked for; providers may grant them under other names. Older grants do not say. */
  asked?: string[]
}

/** The endpoints of an authorization server. */
export interface AuthorizationServer {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint?: string
  registration_endpoint?: string
  token_endpoint_auth_methods_supported?: string[]
  authorization_response_iss_parameter_supported?: boolean
}

export interface OAuthClient {
  id: string
  secret: string | null
  /** When a registration ends (milliseconds). */
  expiresAt?: number | null
}

interface Hidden {
  /** Scopes that the server has asked for since, as JSON. The person is asked for them, too, when they connect again. */
  required_scopes: string
  /** The resource that the tokens are for (RFC 8707). */
  resource: string
  /** The encrypted grant. Null once the connection has ended. */
  sealed: string | null
  /** When the access token expires (milliseconds), null if it does not say. */
  expires_at: number | null
  /** The end of the lease of the request that renews the tokens. */
  refresh_lease: number | null
}

export type ConnectionRow = Omit<Stored<Connection>, 'tool_name'> & Hidden

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    connection: Omit<Stored<Connection>, 'scopes' | 'tool_name'> & Hidden & { workspace_id: string; scopes: string }
    /** A connection that a person has begun. Its state works once. */
    connection_flow: {
      /** The hash of the state. */
      id: string
      workspace_id: string
      tool_id: string
      user_id: string | null
      sealed: string
      expires_at: number
    }
    /** A client that this service has registered at an authorization server. */
    connection_client: { workspace_id: string; tool_id: string; issuer: string; redirect_uri: string; sealed: string }
  }
}

export const connectionTable = resourceTable<typeof Connection>({
  name: 'connection',
  shape: Connection,
  computed: ['tool_name'],
})

const grantContext = (workspace: unknown, id: unknown): string => `${workspace} connection ${id} grant`
const flowContext = (workspace: unknown, id: unknown): string => `${workspace} connection_flow ${id}`
const clientContext = (workspace: unknown, tool: unknown): string => `${workspace} connection_client ${tool}`

export const sealedConnections = [
  sealedColumn('connection', 'sealed', (row) => grantContext(row.workspace_id, row.id)),
  sealedColumn('connection_flow', 'sealed', (row) => flowContext(row.workspace_id, row.id)),
  sealedColumn('connection_client', 'sealed', (row) => clientContext(row.workspace_id, row.tool_id)),
]

export const sealGrant = ({ secrets }: Context, workspace: string, id: string, grant: Grant): string =>
  secrets.seal(JSON.stringify(grant), grantContext(workspace, id))

export const openGrant = ({ secrets }: Context, workspace: string, { id, sealed }: ConnectionRow): Grant | null =>
  sealed === null ? null : (JSON.parse(secrets.open(sealed, grantContext(workspace, id))) as Grant)

/** The connection of a person to a tool. Null is the account of the workspace. */
export async function findConnection(
  db: Db,
  workspace: string,
  toolId: string,
  userId: string | null,
): Promise<ConnectionRow | undefined> {
  const row = await db
    .selectFrom('connection')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('tool_id', '=', toolId)
    .where('user_id', 'is not distinct from', userId)
    .executeTakeFirst()
  if (!row) return undefined
  const { workspace_id, ...own } = row
  return { ...own, scopes: JSON.parse(row.scopes) as string[] }
}

/** Replaces the connection of a person to a tool. */
export async function replaceConnection(tx: Db, workspace: string, row: ConnectionRow): Promise<void> {
  await tx
    .deleteFrom('connection')
    .where('workspace_id', '=', workspace)
    .where('tool_id', '=', row.tool_id)
    .where('user_id', 'is not distinct from', row.user_id)
    .execute()
  await tx
    .insertInto('connection')
    .values({ ...row, workspace_id: workspace, scopes: JSON.stringify(row.scopes) })
    .execute()
}

/** Removes what a tool does not use any more after a change of its `auth`. */
export async function forgetUnused(
  tx: Db,
  workspace: string,
  { id, auth }: ApiToolRow,
  { isNewSecret }: { isNewSecret: boolean },
): Promise<void> {
  const account = auth.type === 'oauth2' ? (auth.account ?? 'user') : null
  let connections = tx.deleteFrom('connection').where('workspace_id', '=', workspace).where('tool_id', '=', id)
  if (account !== null) connections = connections.where('account', '!=', account)
  await connections.execute()
  let clients = tx.deleteFrom('connection_client').where('workspace_id', '=', workspace).where('tool_id', '=', id)
  if (account !== null) clients = clients.where('issuer', '=', givenClient)
  if (account === null || isNewSecret) await clients.execute()
  if (account === null)
    await tx.deleteFrom('connection_flow').where('workspace_id', '=', workspace).where('tool_id', '=', id).execute()
}

type Changes = Partial<
  Pick<ConnectionRow, 'status' | 'sealed' | 'expires_at' | 'refresh_lease' | 'last_used_at' | 'required_scopes'>
>

/** Changes a connection. Returns false if it was removed or replaced meanwhile. */
export async function changeConnection(
  ctx: Context,
  workspace: string,
  id: string,
  changes: Changes,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('connection')
    .set((is) => ({ ...changes, updated_at: timestamp(ctx.now()), revision: is('revision', '+', 1) }))
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes the right to renew the tokens, which one request of all nodes has at a time. */
export async function takeLease(ctx: Context, workspace: string, row: ConnectionRow, until: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('connection')
    .set({ refresh_lease: until })
    .where('workspace_id', '=', workspace)
    .where('id', '=', row.id)
    .where('sealed', '=', row.sealed)
    .where((is) => is.or([is('refresh_lease', 'is', null), is('refresh_lease', '<=', ctx.now())]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A connection that a person has begun. */
export interface Flow {
  server: AuthorizationServer
  /** Whether the addresses of the server were given. Its issuer is known only by its origin then. */
  isGiven?: boolean
  client: OAuthClient
  resource: string | null
  scopes: string[]
  verifier: string
  redirectUri: string
}

export interface FlowRow {
  id: string
  workspace: string
  toolId: string
  userId: string | null
}

export async function insertFlow(ctx: Context, row: FlowRow & { expiresAt: number }, flow: Flow): Promise<void> {
  const { id, workspace, toolId, userId, expiresAt } = row
  await ctx.db
    .insertInto('connection_flow')
    .values({
      id,
      workspace_id: workspace,
      tool_id: toolId,
      user_id: userId,
      sealed: ctx.secrets.seal(JSON.stringify(flow), flowContext(workspace, id)),
      expires_at: expiresAt,
    })
    .execute()
}

/** The state does not name a workspace, so the flow is found by the state alone. */
export async function findFlow(ctx: Context, id: string): Promise<(FlowRow & { flow: Flow }) | undefined> {
  const row = await ctx.db
    .selectFrom('connection_flow')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  if (!row) return undefined
  const { workspace_id: workspace, tool_id: toolId, user_id: userId, sealed } = row
  return {
    id,
    workspace,
    toolId,
    userId,
    flow: JSON.parse(ctx.secrets.open(sealed, flowContext(workspace, id))) as Flow,
  }
}

/** Whether this is the first use of a state, on any node. */
export async function takeFlow({ db }: Context, { id, workspace }: FlowRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connection_flow')
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function removeExpiredFlows({ db, now }: Context): Promise<void> {
  await db.deleteFrom('connection_flow').where('expires_at', '<=', now()).execute()
}

interface RegisteredAt {
  workspace: string
  toolId: string
  issuer: string
  redirectUri: string
}

/** Stands for the issuer in the row of a client that was given; the row holds the issuer that it was first used at. */
export const givenClient = 'given'

export async function findClient(ctx: Context, at: RegisteredAt): Promise<OAuthClient | undefined> {
  const row = await ctx.db
    .selectFrom('connection_client')
    .select('sealed')
    .where('workspace_id', '=', at.workspace)
    .where('tool_id', '=', at.toolId)
    .where('issuer', '=', at.issuer)
    .where('redirect_uri', '=', at.redirectUri)
    .executeTakeFirst()
  return row && (JSON.parse(ctx.secrets.open(row.sealed, clientContext(at.workspace, at.toolId))) as OAuthClient)
}

export async function insertClient(ctx: Context, at: RegisteredAt, client: OAuthClient): Promise<void> {
  const { workspace: workspace_id, toolId: tool_id, issuer, redirectUri: redirect_uri } = at
  const sealed = ctx.secrets.seal(JSON.stringify(client), clientContext(workspace_id, tool_id))
  await ctx.db
    .insertInto('connection_client')
    .values({ workspace_id, tool_id, issuer, redirect_uri, sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes the registration of a client that the authorization server does not know any more. */
export async function removeClient(
  ctx: Context,
  { workspace, toolId, issuer }: Omit<RegisteredAt, 'redirectUri'>,
  clientId: string,
): Promise<void> {
  const rows = await ctx.db
    .selectFrom('connection_client')
    .select(['redirect_uri', 'sealed'])
    .where('workspace_id', '=', workspace)
    .where('tool_id', '=', toolId)
    .where('issuer', '=', issuer)
    .execute()
  for (const { redirect_uri, sealed } of rows) {
    const { id } = JSON.parse(ctx.secrets.open(sealed, clientContext(workspace, toolId))) as OAuthClient
    if (id !== clientId) continue
    await ctx.db
      .deleteFrom('connection_client')
      .where('workspace_id', '=', workspace)
      .where('tool_id', '=', toolId)
      .where('issuer', '=', issuer)
      .where('redirect_uri', '=', redirect_uri)
      .where('sealed', '=', sealed)
      .execute()
  }
}
