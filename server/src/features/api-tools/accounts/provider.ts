import * as oauth from 'openid-client'
import type { Context } from '../../../kernel/context.ts'
import { Problem, reason } from '../../../kernel/errors.ts'
import { second } from '../../../kernel/time.ts'
import type { AuthorizationServer, Flow, Grant, OAuthClient } from './store.ts'

const requestTimeout = 10

/** The authorization server has refused: the grant is not valid any more. */
export class GrantRefused extends Error {}

/** The authorization server does not know the client any more, so that nothing it has issued to it is valid. */
export class ClientRefused extends Problem {}

interface Tokens {
  accessToken: string
  refreshToken: string | null
  /** Milliseconds. */
  expiresAt: number | null
  scopes: string[] | null
}

function configuration(
  ctx: Context,
  server: AuthorizationServer,
  { id, secret }: OAuthClient,
  { inBody = false } = {},
): oauth.Configuration {
  const authentication = secret === null ? oauth.None() : inBody ? oauth.ClientSecretPost(secret) : inHeader(secret)
  const config = new oauth.Configuration({ ...server }, id, undefined, authentication)
  config[oauth.customFetch] = ctx.egress.fetch as unknown as oauth.CustomFetch
  config.timeout = requestTimeout
  // Plain http is for the machine itself and for networks that the operator allows: the egress guard decides.
  if (server.token_endpoint.startsWith('http:')) oauth.allowInsecureRequests(config)
  return config
}

/** The library also escapes hyphens and dots, which is allowed, but some servers compare without decoding. */
const inHeader =
  (secret: string): oauth.ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const credentials = [id, secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':')
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }

/** Servers that do not accept basic authentication, as the standard demands, get the secret in the body. */
async function withSecret<T>(
  ctx: Context,
  server: AuthorizationServer,
  client: OAuthClient,
  request: (config: oauth.Configuration) => Promise<T>,
): Promise<T> {
  const supported = server.token_endpoint_auth_methods_supported
  const inBody = supported?.includes('client_secret_post') === true && !supported.includes('client_secret_basic')
  try {
    return await request(configuration(ctx, server, client, { inBody }))
  } catch (error) {
    const isUnknown = error instanceof oauth.ResponseBodyError && error.error === 'invalid_client'
    const isChallenged = error instanceof oauth.WWWAuthenticateChallengeError
    if (client.secret === null || inBody || !(isUnknown || isChallenged)) throw error
    return request(configuration(ctx, server, client, { inBody: true }))
  }
}

/** The address that the person opens, and the values that bind the answer to it. */
export async function authorizationUrl(
  ctx: Context,
  { server, client, resource, scopes, redirectUri }: Omit<Flow, 'verifier'>,
): Promise<{ url: string; state: string; verifier: string }> {
  const state = oauth.randomState()
  const verifier = oauth.randomPKCECodeVerifier()
  const url = oauth.buildAuthorizationUrl(configuration(ctx, server, client), {
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(resource !== null && { resource }),
  })
  return { url: url.href, state, verifier }
}

/** Exchanges the code of a callback. The library compares the state and the issuer (RFC 9207) with those expected. */
export async function exchangeCode(ctx: Context, flow: Flow, query: URLSearchParams, state: string): Promise<Tokens> {
  const { server, client, resource, verifier, redirectUri } = flow
  const expected = { expectedState: state, pkceCodeVerifier: verifier }
  const parameters = resource === null ? undefined : { resource }
  return explained(server, async () =>
    toTokens(
      ctx,
      await withSecret(ctx, server, client, (config) =>
        oauth.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), expected, parameters),
      ),
    ),
  )
}

export async function refreshTokens(ctx: Context, grant: Grant, resource: string | null): Promise<Tokens> {
  const { server, client, refreshToken } = grant
  if (refreshToken === null) throw new GrantRefused('The access has ended and cannot be renewed.')
  const parameters = resource === null ? undefined : { resource }
  return explained(server, async () =>
    toTokens(
      ctx,
      await withSecret(ctx, server, client, (config) => oauth.refreshTokenGrant(config, refreshToken, parameters)),
    ),
  )
}

/** Revokes the tokens where the provider can (RFC 7009). */
export async function revokeTokens(ctx: Context, { server, client, refreshToken, accessToken }: Grant): Promise<void> {
  if (server.revocation_endpoint === undefined) return
  await withSecret(ctx, server, client, (config) => oauth.tokenRevocation(config, refreshToken ?? accessToken))
}

const toTokens = (ctx: Context, tokens: Awaited<ReturnType<typeof oauth.refreshTokenGrant>>): Tokens => ({
  accessToken: tokens.access_token,
  refreshToken: tokens.refresh_token ?? null,
  expiresAt: tokens.expires_in === undefined ? null : ctx.now() + tokens.expires_in * second,
  scopes: tokens.scope === undefined ? null : tokens.scope.split(' ').filter((scope) => scope !== ''),
})

/** Messages of errors never hold tokens: they name the code of OAuth, or the check that failed. */
async function explained<T>({ token_endpoint }: AuthorizationServer, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof Problem) throw cause
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')
      throw new GrantRefused('The provider has ended the access.')
    const host = new URL(token_endpoint).host
    const isUnknownClient =
      error instanceof oauth.WWWAuthenticateChallengeError ||
      (error instanceof oauth.ResponseBodyError && error.error === 'invalid_client')
    if (isUnknownClient)
      throw new ClientRefused('provider_error', `The authorization server at ${host} does not accept the client.`)
    const code =
      error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError
        ? error.error
        : reason(error)
    throw new Problem('provider_error', `The authorization server at ${host} gave no token: ${code}.`)
  }
}
