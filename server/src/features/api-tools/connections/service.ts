import type { Caller, Context } from '../../../kernel/context.ts'
import { forbidden, invalid, notFound, Problem } from '../../../kernel/errors.ts'
import { allows, permits } from '../../../kernel/http/permissions.ts'
import { hashSecret } from '../../../kernel/secrets/secrets.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import type { Narrow, Stored } from '../../../kernel/store/table.ts'
import { lockWorkspace } from '../../../kernel/store/workspaces.ts'
import { hour, timestamp } from '../../../kernel/time.ts'
import { usesAccount } from '../accounts/accounts.ts'
import { boundResource, covers } from '../accounts/discovery.ts'
import type { Connection } from '../accounts/schema.ts'
import {
  type ConnectionRow,
  connectionTable,
  type Flow,
  findConnection,
  findFlow,
  openGrant,
  removeClient,
  replaceConnection,
  sealGrant,
  takeFlow,
} from '../accounts/store.ts'
import type { ApiToolRow } from '../auth/auth.ts'
import { refreshTools } from '../mcp/tools.ts'
import { apiTools } from '../service.ts'

const kind = 'connection'
const linkValidFor = hour

type Row = Stored<Connection>

const isAdmin = ({ role }: Caller): boolean => allows('administer', role)

/** Admins see all, others their own. */
const maySee = (who: Caller, { user_id }: Row): boolean => isAdmin(who) || (user_id !== null && user_id === who.userId)

/** A list of one's own, of one person (admins), or of everybody (admins, also those without a user). */
async function list(ctx: Context, who: Caller, query: ListQuery): Promise<Page<Row>> {
  const { all, ...where } = query.where
  const seesAll = isAdmin(who) && (all === true || 'user_id' in where || who.userId === null)
  const own: Narrow = (rows) => rows.where('user_id', '=', who.userId ?? '')
  const narrow = seesAll ? undefined : own
  const page = await connectionTable.list(ctx.db, who.workspace, { ...query, where, fields: undefined }, narrow)
  return { ...page, rows: await withToolNames(ctx, who, page.rows) }
}

/** People whose role lists no tools see the names of those that they have connected. */
async function withToolNames(ctx: Context, { workspace }: Caller, rows: Row[]): Promise<Row[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ tool_id }) => tool_id)
  const tools = await ctx.db
    .selectFrom('api_tool')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspace)
    .where('id', 'in', ids)
    .execute()
  const names = new Map(tools.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, tool_name: names.get(row.tool_id) ?? '' }))
}

async function get(ctx: Context, who: Caller, id: string): Promise<Row> {
  const row = await connectionTable.find(ctx.db, who.workspace, id)
  if (!row || !maySee(who, row)) return notFound(kind, id)
  return (await withToolNames(ctx, who, [row]))[0] ?? row
}

/** Deletes the tokens, and revokes them at the provider where it can. */
async function remove(ctx: Context, who: Caller, id: string): Promise<void> {
  const shown = await get(ctx, who, id)
  const row = await findConnection(ctx.db, who.workspace, shown.tool_id, shown.user_id)
  await inTransaction(ctx.db, async (tx) => {
    await connectionTable.remove(tx, who.workspace, id)
    await ctx.audit.record(tx, who, { action: 'delete', kind, id })
  })
  ctx.state['api-tools'].mcp.drop(shown.tool_id, shown.user_id)
  const grant = row?.id === id ? openGrant(ctx, who.workspace, row) : null
  if (!grant) return
  const { revokeTokens } = await import('../accounts/provider.ts')
  await revokeTokens(ctx, grant).catch((error) =>
    ctx.log.info({ connection: id, reason: String(error?.code ?? error?.name) }, 'tokens could not be revoked'),
  )
}

/** Begins to connect an account of the caller, or of the workspace. */
async function connect(ctx: Context, who: Caller, toolId: string, origin: string): Promise<string> {
  const tool = await apiTools.find(ctx.db, who, toolId)
  if (!tool)
    throw new Problem('unknown_reference', `There is no API tool "${toolId}".`, {
      details: [{ path: 'tool_id', message: 'does not exist' }],
    })
  if (!usesAccount(tool)) invalid('tool_id', 'is not a tool with auth of type oauth2')
  const userId = tool.auth.account === 'workspace' ? null : who.userId
  if (tool.auth.account === 'workspace' && !allows('write-configuration', who.role))
    forbidden('Only editors and above connect the account of the workspace.')
  if (tool.auth.account !== 'workspace' && userId === null)
    invalid('tool_id', 'uses the accounts of people, and your token has no user_id')
  return ctx.state['api-tools'].accounts.begin({ workspace: who.workspace, userId }, tool, origin, linkValidFor)
}

interface Callback {
  query: URLSearchParams
  /** The caller by the session or the token of the request. */
  caller: Caller | null
  requestId: string
}

/** Ends a flow: exchanges the code, stores the connection and resumes the runs that wait for it. Returns the tool. */
async function finish(ctx: Context, { query, caller, requestId }: Callback): Promise<ApiToolRow> {
  const state = query.get('state') ?? ''
  const found = state === '' ? undefined : await findFlow(ctx, hashSecret(state))
  if (!found) throw new UnknownState()
  const { workspace, toolId, userId } = found
  requireOwner(caller, found)
  const who: Caller = {
    workspace,
    role: 'user',
    token: caller?.token ?? userId ?? 'connection',
    userId,
    groups: [],
    rateLimit: null,
    requestId,
  }
  const tool = (await apiTools.find(ctx.db, { workspace }, toolId)) ?? notFound('API tool', toolId)
  const flow = checkIssuer(found.flow, query.get('iss'))
  if (!covers(flow.resource ?? boundResource(tool), tool.url))
    throw new Problem('invalid_request', 'The address of the tool has changed since. Start again.')
  const refusal = query.get('error')
  // A refusal does not use up the state, so that the person can try again.
  if (refusal !== null) throw new Problem('invalid_request', `The account was not connected: ${refusal.slice(0, 100)}.`)
  if (!(await takeFlow(ctx, found))) throw new UnknownState()
  const { ClientRefused, exchangeCode, GrantRefused } = await import('../accounts/provider.ts')
  const tokens = await exchangeCode(ctx, flow, query, state).catch(async (error) => {
    // It registers itself again when the person tries again.
    if (error instanceof ClientRefused)
      await removeClient(ctx, { workspace, toolId, issuer: flow.server.issuer }, flow.client.id)
    throw error instanceof GrantRefused
      ? new Problem('invalid_request', 'The account was not connected: the authorization server refused the code.')
      : error
  })
  const row = newConnection(ctx, { workspace, toolId, userId, flow, tool }, tokens)
  await inTransaction(ctx.db, async (tx) => {
    await lockWorkspace(tx, workspace)
    await replaceConnection(tx, workspace, row)
    await ctx.audit.record(tx, who, { action: 'connect', kind, id: row.id })
  })
  ctx.state['api-tools'].mcp.drop(toolId, userId)
  // Its tools are in effect from now on. A server that cannot be reached at this moment is asked later.
  if (tool.type === 'mcp') await refreshTools(ctx, workspace, tool, userId).catch(() => {})
  await ctx.state['api-tools'].accounts.onConnected({ workspace, toolId, userId })
  return tool
}

type Tokens = Awaited<ReturnType<typeof import('../accounts/provider.ts')['exchangeCode']>>

function newConnection(
  ctx: Context,
  {
    workspace,
    toolId,
    userId,
    flow,
    tool,
  }: { workspace: string; toolId: string; userId: string | null; flow: Flow; tool: ApiToolRow },
  { accessToken, refreshToken, expiresAt, scopes }: Tokens,
): ConnectionRow {
  const id = ctx.newId('con')
  const now = timestamp(ctx.now())
  const { server, client } = flow
  return {
    id,
    revision: 1,
    tool_id: toolId,
    account: userId === null ? 'workspace' : 'user',
    user_id: userId,
    issuer: server.issuer,
    scopes: scopes ?? flow.scopes,
    status: 'connected',
    connected_at: now,
    last_used_at: null,
    created_at: now,
    updated_at: now,
    resource: flow.resource ?? boundResource(tool),
    required_scopes: '[]',
    sealed: sealGrant(ctx, workspace, id, { accessToken, refreshToken, server, client, asked: flow.scopes }),
    expires_at: expiresAt,
    refresh_lease: null,
  }
}

/**
 * A link of one person does not work in the browser of another one. People of a program that uses the API have no session, so
 * the state stands for them; for the account of the workspace, which everybody's calls use, it does not suffice.
 */
function requireOwner(
  caller: Caller | null,
  { workspace, userId }: { workspace: string; userId: string | null },
): void {
  const isHere = caller?.workspace === workspace
  if (userId === null && !(isHere && permits(caller, 'write-configuration')))
    forbidden(
      'This connects the account of the workspace. Sign in as an editor in this browser, then open the link again.',
    )
  if (userId !== null && caller !== null && !(isHere && caller.userId === userId))
    forbidden('This link belongs to another person. Sign in as them, or ask for a link of your own.')
}

/**
 * Where the addresses were given, the issuer is known only by its origin: the issuer of the answer must be there. Otherwise
 * the library compares it with the one that was discovered.
 */
function checkIssuer(flow: Flow, issuer: string | null): Flow {
  const { server } = flow
  if (issuer === null || !flow.isGiven) return flow
  const isThere = URL.canParse(issuer) && new URL(issuer).origin === server.issuer
  return isThere ? { ...flow, server: { ...server, issuer } } : flow
}

/** A callback that comes a second time, for example in another tab, or too late. */
export class UnknownState extends Problem {
  constructor() {
    super('invalid_request', 'This link is unknown, was used already or has expired. Ask for a new one.')
  }
}

export const connections = { kind, list, get, remove, connect, finish }
