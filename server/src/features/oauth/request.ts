import { type Static, Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Request } from '../../kernel/http/app.ts'
import { mcpResource, publicOrigin } from '../../kernel/http/origin.ts'
import { type Client, findClient } from './clients.ts'
import { OAuthProblem } from './errors.ts'
import { isRegistered, redirectTo } from './redirects.ts'

const text = (description: string, maxLength = 2000) => Type.Optional(Type.String({ maxLength, description }))

/** The parameters of an authorization request (OAuth 2.1). All are checked by `readRequest`, which answers in terms of OAuth. */
export const authorizationParameters = {
  client_id: text('The address of a client metadata document, or the ID from `/oauth/register`.', 65_536),
  redirect_uri: text('Where the browser goes with the code. Registered by the client.'),
  response_type: text('`code`.'),
  code_challenge: text('The SHA-256 of the verifier, as base64url (PKCE).'),
  code_challenge_method: text('`S256`.'),
  resource: text('The address of the MCP server (RFC 8707).'),
  scope: text('`mcp`, which is the default.'),
  state: text('Returned as it is.'),
}

export const AuthorizationQuery = Type.Object(authorizationParameters, { additionalProperties: true })
type AuthorizationQuery = Static<typeof AuthorizationQuery>

export interface AuthorizationRequest {
  client: Client
  redirectUri: string
  challenge: string
  state: string | undefined
}

/** The client and where its answers go. Until these are known to belong together, nobody is redirected. */
export async function readReceiver(
  ctx: Context,
  { client_id, redirect_uri }: AuthorizationQuery,
): Promise<Pick<AuthorizationRequest, 'client' | 'redirectUri'>> {
  if (!client_id) throw new OAuthProblem('invalid_request', 'client_id is required.')
  const client = await findClient(ctx, client_id)
  const [only, ...others] = client.redirectUris
  const redirectUri = redirect_uri ?? (others.length === 0 ? only : undefined)
  if (redirectUri === undefined) throw new OAuthProblem('invalid_request', 'redirect_uri is required.')
  if (!isRegistered(redirectUri, client.redirectUris))
    throw new OAuthProblem('invalid_redirect_uri', `${client.name} did not register this redirect URI.`)
  return { client, redirectUri }
}

/** Why the request is not valid, if it is not. */
export function findFault(ctx: Context, request: Request, query: AuthorizationQuery): OAuthProblem | null {
  const { response_type, code_challenge, code_challenge_method, resource } = query
  if (response_type !== 'code') return new OAuthProblem('unsupported_response_type', 'response_type must be code.')
  if (!code_challenge || !/^[\w-]{43}$/.test(code_challenge) || code_challenge_method !== 'S256')
    return new OAuthProblem('invalid_request', 'PKCE with code_challenge_method S256 is required.')
  return resource === undefined || isOurs(ctx, request, resource) ? null : wrongResource()
}

/** Refuses a token for another resource than the MCP server. */
export function requireResource(ctx: Context, request: Request, resource: string | undefined): void {
  if (resource !== undefined && !isOurs(ctx, request, resource)) throw wrongResource()
}

const isOurs = (ctx: Context, request: Request, resource: string): boolean =>
  resource.replace(/\/$/, '') === mcpResource(ctx.config, request)

const wrongResource = () =>
  new OAuthProblem('invalid_target', 'resource must be the address of the MCP server, /api/mcp.')

/** Where the browser goes with the answer to a request. It names the issuer, so that clients notice a mix-up (RFC 9207). */
export const answerUrl = (
  ctx: Context,
  request: Request,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  answer: { code: string } | { error: string; error_description: string },
): string => redirectTo(redirectUri, { ...answer, state, iss: publicOrigin(ctx.config, request) })
