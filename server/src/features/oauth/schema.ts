import { type TSchema, Type } from 'typebox'
import type { MediaType } from '../../kernel/http/app.ts'

const text = (description: string) => Type.String({ description })
const maybe = (description: string) => Type.Optional(text(description))
const texts = (description: string) => Type.Array(Type.String(), { description })
const address = 'https://parley.example.com'

/** RFC 9728. */
export const ProtectedResource = Type.Object(
  {
    resource: text('The address of the MCP server, for which tokens are made.'),
    resource_name: text('For people.'),
    authorization_servers: texts('Where clients get tokens: here, or at the identity provider.'),
    bearer_methods_supported: texts('How tokens are sent.'),
    scopes_supported: Type.Optional(texts('Missing where an identity provider is configured.')),
    resource_documentation: text('A page for people.'),
  },
  {
    title: 'ProtectedResource',
    examples: [
      {
        resource: `${address}/api/mcp`,
        resource_name: 'Parley',
        authorization_servers: [address],
        bearer_methods_supported: ['header'],
        scopes_supported: ['mcp'],
        resource_documentation: `${address}/docs/mcp`,
      },
    ],
  },
)

/** RFC 8414. */
export const AuthorizationServer = Type.Object(
  {
    issuer: text('This service.'),
    authorization_endpoint: text('`/oauth/authorize`.'),
    token_endpoint: text('`/oauth/token`.'),
    registration_endpoint: text('`/oauth/register`.'),
    revocation_endpoint: text('`/oauth/revoke`.'),
    scopes_supported: texts('`mcp`.'),
    response_types_supported: texts('`code`.'),
    response_modes_supported: texts('`query`.'),
    grant_types_supported: texts('`authorization_code` and `refresh_token`.'),
    token_endpoint_auth_methods_supported: texts('`none`: clients are public.'),
    revocation_endpoint_auth_methods_supported: texts('`none`.'),
    code_challenge_methods_supported: texts('`S256`.'),
    authorization_response_iss_parameter_supported: Type.Boolean({ description: 'RFC 9207.' }),
    client_id_metadata_document_supported: Type.Boolean({ description: 'The address of a document is a client ID.' }),
    service_documentation: text('A page for people.'),
  },
  { title: 'AuthorizationServer' },
)

const form = 'application/x-www-form-urlencoded'
const documented = (type: string, schema: TSchema, example: unknown): Record<string, MediaType> => ({
  [type]: { schema, example },
})
/** The routes check their input themselves, because the errors have codes of OAuth. */
export const AnyJson = Type.Object({}, { additionalProperties: true })
export const AnyForm = Type.Object({}, { additionalProperties: true, contentMediaType: form })

export const registration = documented(
  'application/json',
  Type.Object(
    {
      redirect_uris: texts('1 to 20 addresses: https, the scheme of an application, or http on loopback.'),
      client_name: maybe('The name that people see.'),
      grant_types: Type.Optional(texts('With `authorization_code`.')),
    },
    { title: 'ClientRegistration', additionalProperties: true },
  ),
  { client_name: 'Claude', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] },
)

export const RegisteredClient = Type.Object(
  {
    client_id: text('The registration itself, sealed. Nothing is stored.'),
    client_id_issued_at: Type.Integer({ description: 'In seconds since 1970.' }),
    client_name: text('The name that people see.'),
    redirect_uris: texts('As registered.'),
    grant_types: texts('`authorization_code` and `refresh_token`.'),
    response_types: texts('`code`.'),
    token_endpoint_auth_method: text('`none`.'),
    scope: text('`mcp`.'),
  },
  { title: 'RegisteredClient', description: 'The client was registered.' },
)

export const tokenRequest = documented(
  form,
  Type.Object(
    {
      grant_type: text('`authorization_code` or `refresh_token`.'),
      client_id: text('As in the authorization request.'),
      code: maybe('With `authorization_code`: the code.'),
      code_verifier: maybe('With `authorization_code`: the verifier of PKCE.'),
      redirect_uri: maybe('With `authorization_code`: as in the authorization request.'),
      refresh_token: maybe('With `refresh_token`: the token, which works once.'),
      resource: maybe('The address of the MCP server (RFC 8707).'),
    },
    { title: 'OAuthTokenRequest' },
  ),
  { grant_type: 'refresh_token', client_id: '…', refresh_token: '…' },
)

export const TokenResponse = Type.Object(
  {
    access_token: text('For the MCP server alone.'),
    token_type: text('`Bearer`.'),
    expires_in: Type.Integer({ description: 'In seconds.' }),
    refresh_token: text('Replaces the one before.'),
    scope: text('`mcp`.'),
  },
  { title: 'OAuthTokens' },
)

export const revocation = documented(
  form,
  Type.Object({ token: text('The access token or the refresh token.') }, { title: 'OAuthRevocation' }),
  { token: '…' },
)

export const Nothing = Type.Object({}, { title: 'OAuthNothing', examples: [{}] })
