import { type Role, roles } from './caller.ts'
import type { Reader } from './telemetry/settings.ts'

/** The identity provider: its JWTs as tokens, people who sign in with it, or both. */
export interface Oidc {
  issuer: string
  /** JWTs for this audience are tokens; null: no JWT is. */
  audience: string | null
  /** The role of people whose token names none. Null refuses them. */
  defaultRole: Role | null
  /** The claims with the role and the groups, dotted for nested ones. Null: `parley_role`, or else `role`. */
  roleClaim: string | null
  groupsClaim: string
  /** Settings for signing in. Null turns it off. */
  client: OidcClient | null
}

export interface OidcClient {
  id: string
  /** Null: a public client, which PKCE alone protects. */
  secret: string | null
  scopes: string
  /** Extra parameters of the authorization request. */
  parameters: [name: string, value: string][]
  /** The name of the provider on the sign-in page. */
  name: string
  /** The contact shown to people without access. */
  contact: string | null
}

/** Parameters of an authorization request that only Parley sets. */
const reserved = new Set(
  'client_id client_secret redirect_uri response_type response_mode scope state nonce code_challenge code_challenge_method request request_uri'.split(
    ' ',
  ),
)

const forSignIn = ['OIDC_CLIENT_SECRET', 'OIDC_SCOPES', 'OIDC_LOGIN_PARAMS', 'OIDC_NAME', 'OIDC_CONTACT']
const forEither = ['OIDC_DEFAULT_ROLE', 'OIDC_ROLE_CLAIM', 'OIDC_GROUPS_CLAIM']

export function oidcSettings(read: Reader): Oidc | null {
  const issuer = read.url('OIDC_ISSUER', ['http:', 'https:'])
  const audience = read.text('OIDC_AUDIENCE')
  const clientId = read.text('OIDC_CLIENT_ID')
  const defaultRole = read.text('OIDC_DEFAULT_ROLE') === null ? null : read.choice('OIDC_DEFAULT_ROLE', roles, 'user')
  if (clientId !== null && issuer === null)
    read.reject('OIDC_CLIENT_ID requires OIDC_ISSUER: the provider to sign in with.')
  if ((issuer === null) !== (audience === null) && clientId === null) {
    read.reject('Set both OIDC_ISSUER and OIDC_AUDIENCE, or OIDC_ISSUER and OIDC_CLIENT_ID, or none of them.')
  }
  for (const name of forSignIn) {
    if (clientId === null && read.text(name) !== null) read.reject(`${name} requires OIDC_CLIENT_ID.`)
  }
  if (issuer === null) {
    for (const name of forEither) if (read.text(name) !== null) read.reject(`${name} requires OIDC_ISSUER.`)
    return null
  }
  return {
    issuer,
    audience,
    defaultRole,
    roleClaim: read.text('OIDC_ROLE_CLAIM'),
    groupsClaim: read.text('OIDC_GROUPS_CLAIM') ?? 'groups',
    client: clientId === null ? null : clientSettings(read, clientId, issuer),
  }
}

function clientSettings(read: Reader, id: string, issuer: string): OidcClient {
  const scopes = read.text('OIDC_SCOPES') ?? 'openid profile email'
  if (!scopes.split(/\s+/).includes('openid')) read.fail('OIDC_SCOPES', 'scopes separated by spaces, with openid')
  const parameters = [...new URLSearchParams(read.text('OIDC_LOGIN_PARAMS') ?? '')]
  for (const [name] of parameters) {
    if (reserved.has(name)) read.reject(`OIDC_LOGIN_PARAMS must not contain ${name}, which Parley sets itself.`)
  }
  return {
    id,
    secret: read.text('OIDC_CLIENT_SECRET'),
    scopes: scopes.split(/\s+/).join(' '),
    parameters,
    name: read.text('OIDC_NAME') ?? new URL(issuer).hostname,
    contact: read.text('OIDC_CONTACT'),
  }
}
