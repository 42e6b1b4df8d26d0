import type { Context } from '../../../kernel/context.ts'
import { Problem, reason } from '../../../kernel/errors.ts'
import { second } from '../../../kernel/time.ts'
import { type ApiToolRow, openSecrets, urlOrigin } from '../auth/auth.ts'
import {
  type AuthorizationServer,
  findClient,
  givenClient,
  insertClient,
  type OAuthClient,
  removeClient,
} from './store.ts'

/** Loaded when it is needed: it is large, and most workspaces have no MCP server. */
const sdk = () => import('@modelcontextprotocol/client')

/** Where an account of a tool is connected, and what for. */
export interface Target {
  server: AuthorizationServer
  /** Whether its addresses were given, not discovered. */
  isGiven: boolean
  /** Sent as `resource` (RFC 8707). Null for providers that refuse the parameter. */
  resource: string | null
  scopes: string[]
  supportsClientDocument: boolean
}

/** These authorization servers refuse a request with `resource`, and take the resource from the scopes. */
const withoutResource = new Set(['login.microsoftonline.com', 'login.microsoftonline.us'])

/** The authorization server of a tool: by the addresses of its `auth`, or discovered at an MCP server. */
export async function findTarget(ctx: Context, tool: ApiToolRow): Promise<Target> {
  const { authorization_url, token_url, scopes = [] } = tool.auth
  if (authorization_url === undefined || token_url === undefined) return discover(ctx, tool)
  for (const address of [authorization_url, token_url]) ctx.egress.check(address)
  return {
    server: {
      issuer: urlOrigin(authorization_url),
      authorization_endpoint: authorization_url,
      token_endpoint: token_url,
    },
    isGiven: true,
    resource: takesResource({ authorization_endpoint: authorization_url }) ? boundResource(tool) : null,
    scopes,
    supportsClientDocument: false,
  }
}

/** Whether an authorization server accepts `resource`, also when a token is renewed. */
export const takesResource = ({
  authorization_endpoint,
}: Pick<AuthorizationServer, 'authorization_endpoint'>): boolean =>
  !withoutResource.has(new URL(authorization_endpoint).hostname)

/** The resource of a tool whose authorization server was given. Tokens are bound to it, whether it is sent or not. */
export const boundResource = ({ type, url }: ApiToolRow): string => (type === 'mcp' ? url : urlOrigin(url))

/** Whether tokens for a resource may be sent to this address. */
export function covers(resource: string, url: string): boolean {
  const address = url.replace(/\{[^}]*\}/g, 'x')
  if (!URL.canParse(resource) || urlOrigin(resource) !== urlOrigin(url) || !URL.canParse(address)) return false
  const base = new URL(resource).pathname.replace(/\/$/, '')
  const { pathname } = new URL(address)
  return pathname === base || pathname.startsWith(`${base}/`)
}

/** Servers say how to be authorized when a client introduces itself without a token. */
const unauthorizedRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'parley', version: '1' } },
  }),
}

/** Discovers the authorization server of an MCP server (RFC 9728, RFC 8414). */
async function discover(ctx: Context, { url, auth }: ApiToolRow): Promise<Target> {
  const { discoverAuthorizationServerMetadata, discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } =
    await sdk()
  const host = new URL(url).host
  const fetchFn = ctx.egress.fetch as never
  try {
    const probe = await ctx.egress.fetch(url, unauthorizedRequest)
    await probe.body?.cancel()
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(probe)
    const described = await discoverOAuthProtectedResourceMetadata(
      url,
      resourceMetadataUrl ? { resourceMetadataUrl } : {},
      fetchFn,
    ).catch((error) => {
      if (findProblem(error)) throw error
      return undefined // servers without the document are their own authorization server
    })
    if (described && !covers(described.resource, url))
      throw new Problem(
        'provider_error',
        `The MCP server at ${host} names another resource than itself: ${described.resource}.`,
      )
    const issuer = described?.authorization_servers?.[0] ?? urlOrigin(url)
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn })
    if (!metadata) throw new Error(`there is no metadata at ${issuer}`)
    const methods = metadata.code_challenge_methods_supported
    if (methods && !methods.includes('S256')) throw new Error(`${issuer} does not support PKCE with S256`)
    for (const address of [metadata.authorization_endpoint, metadata.token_endpoint]) ctx.egress.check(address)
    const { scopes = scope?.split(' ') ?? described?.scopes_supported ?? [] } = auth
    const { client_id_metadata_document_supported } = metadata as { client_id_metadata_document_supported?: boolean }
    return {
      server: onlyUsed(metadata as AuthorizationServer),
      isGiven: false,
      resource: described?.resource ?? url,
      scopes,
      supportsClientDocument: client_id_metadata_document_supported === true,
    }
  } catch (error) {
    throw (
      findProblem(error) ??
      new Problem(
        'provider_error',
        `The authorization server of ${host} cannot be found: ${reason(error).slice(0, 300)}.`,
      )
    )
  }
}

function findProblem(error: unknown): Problem | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Problem) return cause
  return undefined
}

const onlyUsed = (metadata: AuthorizationServer): AuthorizationServer => {
  const {
    issuer,
    authorization_endpoint,
    token_endpoint,
    revocation_endpoint,
    registration_endpoint,
    token_endpoint_auth_methods_supported: methods,
    authorization_response_iss_parameter_supported: namesIssuer,
  } = metadata
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    ...(revocation_endpoint && { revocation_endpoint }),
    ...(registration_endpoint && { registration_endpoint }),
    ...(methods && { token_endpoint_auth_methods_supported: methods }),
    ...(namesIssuer && { authorization_response_iss_parameter_supported: namesIssuer }),
  }
}

export const callbackPath = '/api/connections/callback'
export const clientDocumentPath = '/api/connections/client.json'

/** This service as an OAuth client. */
export const clientMetadata = (origin: string) => ({
  client_name: 'Parley',
  client_uri: origin,
  redirect_uris: [`${origin}${callbackPath}`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

/** The client that was given, the address of our metadata document, or one that is registered now. */
export async function findOAuthClient(
  ctx: Context,
  workspace: string,
  tool: ApiToolRow,
  { server, isGiven, supportsClientDocument }: Target,
  origin: string,
): Promise<OAuthClient> {
  const { client_id } = tool.auth
  if (client_id !== undefined) {
    const secret = openSecrets(ctx, workspace, tool).client_secret ?? null
    if (secret !== null && !isGiven) await requireFirstIssuer(ctx, workspace, tool, client_id, server.issuer)
    return { id: client_id, secret }
  }
  if (supportsClientDocument && isReachable(origin, server.issuer))
    return { id: `${origin}${clientDocumentPath}`, secret: null }
  const at = { workspace, toolId: tool.id, issuer: server.issuer, redirectUri: `${origin}${callbackPath}` }
  const known = await findClient(ctx, at)
  const hasEnded = (known?.expiresAt ?? Number.POSITIVE_INFINITY) <= ctx.now()
  if (known && !hasEnded) return known
  if (known) await removeClient(ctx, at, known.id)
  if (server.registration_endpoint === undefined)
    throw new Problem('provider_error', `${server.issuer} does not register clients. Set auth.client_id of the tool.`)
  return register(ctx, at, server, origin)
}

/**
 * The secret of a client goes only to the issuer that it was first used at: metadata that changes later cannot move it. The
 * table of registered clients keeps that issuer, in the row of the client.
 */
async function requireFirstIssuer(
  ctx: Context,
  workspace: string,
  { id: toolId, name }: ApiToolRow,
  clientId: string,
  issuer: string,
): Promise<void> {
  const at = { workspace, toolId, issuer: givenClient, redirectUri: clientId }
  await insertClient(ctx, at, { id: issuer, secret: null })
  const first = (await findClient(ctx, at))?.id
  if (first === issuer) return
  throw new Problem(
    'provider_error',
    `"${name}" now names another authorization server (${issuer}) than the one that its client was first used at (${first}). If that is right, set auth.client_secret of the tool again.`,
  )
}

/** Authorization servers read the document over https; on one machine, plain http works as well. */
const isReachable = (origin: string, issuer: string): boolean =>
  origin.startsWith('https:') || (isLoopback(origin) && isLoopback(issuer))

const isLoopback = (address: string): boolean => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/.test(address)

async function register(
  ctx: Context,
  at: Parameters<typeof insertClient>[1],
  server: AuthorizationServer,
  origin: string,
): Promise<OAuthClient> {
  const { registerClient } = await sdk()
  try {
    const {
      client_id,
      client_secret = null,
      client_secret_expires_at: ends = 0,
    } = await registerClient(server.issuer, {
      metadata: server as never,
      clientMetadata: clientMetadata(origin),
      fetchFn: ctx.egress.fetch as never,
    })
    const expiresAt = client_secret === null || ends === 0 ? null : ends * second
    await insertClient(ctx, at, { id: client_id, secret: client_secret, expiresAt })
    return (await findClient(ctx, at)) as OAuthClient
  } catch (error) {
    throw (
      findProblem(error) ??
      new Problem('provider_error', `${server.issuer} did not register a client: ${reason(error).slice(0, 300)}.`)
    )
  }
}
