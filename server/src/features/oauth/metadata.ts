import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { App } from '../../kernel/http/app.ts'
import { mcpResource, publicOrigin } from '../../kernel/http/origin.ts'
import { AuthorizationServer, ProtectedResource } from './schema.ts'

const config = { may: 'public' } as const
const tags = ['MCP server']

/** The documents by which clients find out how to get a token (RFC 9728, RFC 8414). */
export function metadataRoutes(app: App, ctx: Context): void {
  for (const path of ['', '/api/mcp']) {
    const schema = {
      tags,
      summary: 'Describe the MCP server to clients of OAuth',
      description: 'RFC 9728. Answers of `/api/mcp` without a valid token name this document.',
      response: { 200: ProtectedResource },
    }
    app.get(`/.well-known/oauth-protected-resource${path}`, { config, schema }, async (request) => {
      const origin = publicOrigin(ctx.config, request)
      return {
        resource: mcpResource(ctx.config, request),
        resource_name: 'Parley',
        authorization_servers: [ctx.config.oidc?.issuer ?? origin],
        bearer_methods_supported: ['header'],
        // An identity provider has scopes of its own, which decide what a client asks it for.
        ...(ctx.config.oidc === null && { scopes_supported: ['mcp'] }),
        resource_documentation: `${origin}/docs/mcp`,
      }
    })
  }

  const schema = {
    tags,
    summary: 'Describe the authorization server',
    description: 'RFC 8414. Not found where an identity provider is configured: clients get their tokens there.',
    response: { 200: AuthorizationServer },
    errors: ['not_found' as const],
  }
  app.get('/.well-known/oauth-authorization-server', { config, schema }, async (request) => {
    requireOwnServer(ctx)
    const origin = publicOrigin(ctx.config, request)
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      registration_endpoint: `${origin}/oauth/register`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      scopes_supported: ['mcp'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${origin}/docs/mcp`,
    }
  })
}

/** With an identity provider, clients get their tokens there. */
export function requireOwnServer({ config: { oidc } }: Context): void {
  if (oidc !== null)
    throw new Problem('not_found', `Clients get their tokens at the identity provider, ${oidc.issuer}.`)
}
