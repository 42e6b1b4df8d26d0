import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { App, Request } from '../../kernel/http/app.ts'
import { pageSecurity } from '../../kernel/http/static-file.ts'
import { sendPage } from '../sessions/pages.ts'
import { registerClient } from './clients.ts'
import { OAuthProblem } from './errors.ts'
import { exchangeCode, refreshTokens, revokeToken } from './grants.ts'
import { requireOwnServer } from './metadata.ts'
import { AuthorizationQuery, answerUrl, findFault, readReceiver, requireResource } from './request.ts'
import {
  AnyForm,
  AnyJson,
  Nothing,
  RegisteredClient,
  registration,
  revocation,
  TokenResponse,
  tokenRequest,
} from './schema.ts'

const open = { config: { may: 'public' }, exposeHeadRoute: false } as const
const posted = { ...open, bodyLimit: 128 * 1024 } as const
const tags = ['MCP server']
/** With an identity provider, nothing is here. */
const errors = ['not_found'] as const
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** The authorization server, for clients of the MCP server where no identity provider is configured. */
export function authorizationRoutes(app: App, ctx: Context): void {
  app.get(
    '/oauth/authorize',
    {
      ...open,
      schema: {
        tags,
        summary: 'Ask a person to connect a client',
        description:
          'For browsers. Sends the person to the consent page, which sends them back to the client with a `code` and `iss` (RFC 9207). A client or redirect URI that is not known gets a page that says so.',
        querystring: AuthorizationQuery,
        response: { 302: Type.Null({ description: 'The consent page, or the client with an error.' }) },
        responseHeaders: { Location: 'Where the browser goes.' },
        errors,
      },
    },
    async (request, reply) => {
      requireOwnServer(ctx)
      reply.headers({ ...pageSecurity, ...noStore, 'content-security-policy': "frame-ancestors 'none'" })
      try {
        const receiver = await readReceiver(ctx, request.query)
        const fault = findFault(ctx, request, request.query)
        if (fault === null) return reply.redirect(consentPage(request))
        const answer = { error: fault.error, error_description: fault.message }
        return reply.redirect(answerUrl(ctx, request, { ...receiver, state: request.query.state }, answer))
      } catch (error) {
        if (!(error instanceof OAuthProblem)) throw error
        return sendPage(reply, {
          status: 400,
          title: 'This program cannot be connected',
          paragraphs: ['Its request is not valid, so it was not sent back to the program.', error.message],
          links: [{ text: 'Open Parley', href: '/' }],
        })
      }
    },
  )

  const register = {
    tags,
    summary: 'Register a client',
    description: 'Dynamic registration (RFC 7591), for public clients without a metadata document.',
    body: AnyJson,
    accepts: registration,
    response: { 201: RegisteredClient },
    errors,
  }
  app.post('/oauth/register', { ...posted, schema: register }, async (request, reply) => {
    requireOwnServer(ctx)
    const { id, name, redirectUris } = registerClient(ctx, request.body)
    return reply
      .status(201)
      .headers(noStore)
      .send({
        client_id: id,
        client_id_issued_at: Math.floor(ctx.now() / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'mcp',
      })
  })

  app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )

    const token = {
      tags,
      summary: 'Get tokens for the MCP server',
      description:
        'Exchanges a code, or renews tokens. A code or refresh token that comes a second time disconnects the client.',
      body: AnyForm,
      accepts: tokenRequest,
      response: { 200: TokenResponse },
      errors,
    }
    forms.post('/oauth/token', { ...posted, schema: token }, async (request, reply) => {
      requireOwnServer(ctx)
      const form = readForm(request)
      const clientId = required(form, 'client_id')
      requireResource(ctx, request, form.resource)
      reply.headers(noStore)
      const requestId = request.id
      if (form.grant_type === 'refresh_token')
        return refreshTokens(ctx, { refreshToken: required(form, 'refresh_token'), clientId, requestId })
      if (form.grant_type !== 'authorization_code')
        throw new OAuthProblem('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.')
      const code = required(form, 'code')
      const verifier = required(form, 'code_verifier')
      return exchangeCode(ctx, { code, verifier, clientId, redirectUri: form.redirect_uri, requestId })
    })

    const revoke = {
      tags,
      summary: 'Disconnect a client',
      description: 'RFC 7009. Either of its tokens disconnects it. A token that is not known is no error.',
      body: AnyForm,
      accepts: revocation,
      response: { 200: Nothing },
      errors,
    }
    forms.post('/oauth/revoke', { ...posted, schema: revoke }, async (request, reply) => {
      requireOwnServer(ctx)
      await revokeToken(ctx, required(readForm(request), 'token'), request.id)
      return reply.headers(noStore).send({})
    })
  })
}

/** The console asks the person, because only its own pages may use the session. */
const consentPage = ({ url }: Request): string => `/oauth/consent${new URL(url, 'http://parley.invalid').search}`

type Form = Record<string, string | undefined>

function readForm({ body, headers }: Request): Form {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    throw new OAuthProblem('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
  return body as Form
}

function required(form: Form, name: string): string {
  const value = form[name]
  if (!value) throw new OAuthProblem('invalid_request', `${name} is required.`)
  return value
}
