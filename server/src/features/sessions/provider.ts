import * as client from 'openid-client'
import type { Context } from '../../kernel/context.ts'
import type { OidcClient } from '../../kernel/oidc-settings.ts'
import { hour, second } from '../../kernel/time.ts'
import { clockTolerance, type Issuer } from '../tokens/issuer.ts'
import { explained, type Grant, NotSignedIn, type Provider } from './grant.ts'

const requestTimeout = 8
/** Even if its tokens last longer, the provider is asked this often whether a person still has access. */
const maxRefreshInterval = hour
const minRefreshInterval = 10 * second

export function createProvider(ctx: Context, issuer: Issuer, settings: OidcClient): Provider {
  async function configuration(): Promise<client.Configuration> {
    const server = (await issuer.metadata()) as client.ServerMetadata
    const skew = { [client.clockSkew]: (ctx.now() - Date.now()) / second, [client.clockTolerance]: clockTolerance }
    const config = new client.Configuration(server, settings.id, skew, authentication(server))
    config.timeout = requestTimeout
    if (new URL(server.issuer).protocol === 'http:') client.allowInsecureRequests(config)
    return config
  }

  function authentication({ token_endpoint_auth_methods_supported: supported }: client.ServerMetadata) {
    if (settings.secret === null) return client.None()
    const needsPost = supported?.includes('client_secret_post') && !supported.includes('client_secret_basic')
    return needsPost ? client.ClientSecretPost(settings.secret) : client.ClientSecretBasic(settings.secret)
  }

  /** Verifies the ID token, and asks for the claims that are not in it. */
  async function toGrant(config: client.Configuration, tokens: Tokens, user: string | null): Promise<Grant> {
    const idClaims = tokens.id_token === undefined ? {} : await issuer.verify(tokens.id_token, [settings.id])
    if (idClaims === null) throw new NotSignedIn('The ID token is not valid.')
    const subject = idClaims.sub ?? user
    if (subject === null || (user !== null && subject !== user))
      throw new NotSignedIn('The ID token is of another user.')
    const claims = { ...(await userInfo(config, tokens.access_token, subject)), ...idClaims, sub: subject }
    const now = ctx.now()
    const endsAt = idClaims.exp === undefined ? Number.POSITIVE_INFINITY : idClaims.exp * second
    const expiresAt = now + (tokens.expires_in ?? Number.POSITIVE_INFINITY) * second
    return {
      claims,
      idToken: tokens.id_token ?? null,
      refreshToken: tokens.refresh_token ?? null,
      refreshAt: Math.max(now + minRefreshInterval, Math.min(endsAt, expiresAt, now + maxRefreshInterval)),
      endsAt,
    }
  }

  async function userInfo(config: client.Configuration, accessToken: string, subject: string): Promise<object> {
    if (config.serverMetadata().userinfo_endpoint === undefined) return {}
    try {
      return await client.fetchUserInfo(config, accessToken, subject)
    } catch (error) {
      // The access token is for another API, so only the claims of the ID token are used.
      const isRefused = error instanceof client.WWWAuthenticateChallengeError || errorStatus(error) < 500
      if (isRefused) return {}
      throw error
    }
  }

  return {
    async login(redirectUri, { otherAccount }) {
      const config = await configuration()
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        redirectUri,
      }
      const url = client.buildAuthorizationUrl(config, {
        ...Object.fromEntries(settings.parameters),
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        ...(otherAccount && { prompt: promptForAccount(config.serverMetadata(), settings) }),
      })
      return { url: url.href, checks }
    },

    async exchange(query, { state, nonce, verifier, redirectUri }) {
      const config = await configuration()
      const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      return answered(async () => {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), expected)
        return toGrant(config, tokens, null)
      })
    },

    async refresh(refreshToken, user, keep) {
      const config = await configuration()
      return answered(async () => {
        const tokens = await client.refreshTokenGrant(config, refreshToken)
        if (tokens.refresh_token !== undefined && tokens.refresh_token !== refreshToken)
          await keep(tokens.refresh_token)
        const grant = await toGrant(config, tokens, user)
        return { ...grant, refreshToken: grant.refreshToken ?? refreshToken }
      })
    },

    async endSessionUrl(idToken, returnTo) {
      const config = await configuration()
      if (config.serverMetadata().end_session_endpoint === undefined) return null
      return client.buildEndSessionUrl(config, {
        post_logout_redirect_uri: returnTo,
        ...(idToken !== null && { id_token_hint: idToken }),
      }).href
    },
  }
}

/** The status of a response that the client did not expect. */
const errorStatus = (error: unknown): number => {
  const { cause } = error as { cause?: unknown }
  return cause instanceof Response ? cause.status : 500
}

type Tokens = Awaited<ReturnType<typeof client.refreshTokenGrant>>

/** Without this parameter the provider would sign the same person in again. Providers that do not know `login` need OIDC_LOGIN_PARAMS. */
const promptForAccount = ({ prompt_values_supported }: client.ServerMetadata, { parameters }: OidcClient): string => {
  const configured = parameters.find(([name]) => name === 'prompt')?.[1]
  const canSelect = Array.isArray(prompt_values_supported) && prompt_values_supported.includes('select_account')
  return configured ?? (canSelect ? 'select_account' : 'login')
}

/** Errors that mean that the person was refused, unlike errors of a broken provider or client. */
const refusals = new Set([
  'invalid_grant',
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
])
const invalidAnswers = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
])

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) throw new NotSignedIn(explained(error), error.error)
    if (error instanceof client.ResponseBodyError && refusals.has(error.error))
      throw new NotSignedIn(explained(error), error.error)
    if (error instanceof client.ClientError && invalidAnswers.has(error.code ?? ''))
      throw new NotSignedIn(explained(error))
    throw error
  }
}
