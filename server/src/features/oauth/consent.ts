import { type Static, Type } from 'typebox'
import type { Caller, Context } from '../../kernel/context.ts'
import { forbidden, Problem } from '../../kernel/errors.ts'
import type { App, Request } from '../../kernel/http/app.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { allows } from '../../kernel/http/permissions.ts'
import { Nullable } from '../../kernel/schema.ts'
import { agentTools } from '../mcp-server/agent-tools.ts'
import { createGrant } from './grants.ts'
import { requireOwnServer } from './metadata.ts'
import { redirectHost } from './redirects.ts'
import { AuthorizationQuery, answerUrl, authorizationParameters, findFault, readReceiver } from './request.ts'

const Consent = Type.Object(
  {
    client: Type.Object(
      {
        name: Type.String({ description: 'The name that the client gives itself.' }),
        host: Nullable(Type.String({ description: 'The host that vouches for the client. Null: nobody does.' })),
        redirect_host: Type.String({ description: 'Where the code goes: a host, or the scheme of an application.' }),
      },
      { title: 'ConsentClient', examples: [{ name: 'Claude', host: 'claude.ai', redirect_host: 'claude.ai' }] },
    ),
    agents: Type.Array(Type.String(), { description: 'The names of the agents that the client could use.' }),
    may: Type.Object(
      {
        converse: Type.Boolean({ description: 'It talks to the agents.' }),
        read_configuration: Type.Boolean({ description: 'It sees tools and prompt templates.' }),
        call_tools: Type.Boolean({ description: 'It calls tools that need no approval.' }),
      },
      { title: 'ConsentRights' },
    ),
  },
  { title: 'Consent' },
)

const Decision = Type.Object(
  { ...authorizationParameters, allow: Type.Boolean({ description: 'Whether the person allows it.' }) },
  { title: 'ConsentDecision', additionalProperties: false, examples: [{ client_id: 'https://…', allow: true }] },
)

const Decided = Type.Object(
  { redirect_to: Type.String({ description: 'Where the browser goes with the answer.' }) },
  { title: 'ConsentDecided', examples: [{ redirect_to: 'https://claude.ai/api/mcp/auth_callback?code=…' }] },
)

const tags = ['MCP server']

/** These routes serve the consent page and take its answer. Only the person's own session may use them. */
export function consentRoutes(app: App, ctx: Context): void {
  app.get(
    '/oauth/consent',
    {
      config: { may: 'see-status' },
      onRequest: requireSession,
      schema: {
        tags,
        summary: 'Describe a client that wants to connect',
        description: 'For the consent page of the console. It takes the parameters of `/oauth/authorize`.',
        querystring: AuthorizationQuery,
        response: { 200: Ok(Consent) },
      },
    },
    async (request) => {
      const { client, redirectUri } = await readValid(ctx, request, request.query)
      const { caller } = request
      const agents = await agentTools(ctx, caller)
      return ok({
        client: { name: client.name, host: client.host, redirect_host: redirectHost(redirectUri) },
        agents: agents.map(({ agent }) => agent.name),
        may: rights(caller),
      })
    },
  )

  app.post(
    '/oauth/consent',
    {
      config: { may: 'see-status' },
      onRequest: requireSession,
      schema: {
        tags,
        summary: 'Allow or refuse a client',
        description:
          'Needs the session of a browser: a token cannot allow a client. Answers with the address that takes the code, or the refusal, to the client.',
        body: Decision,
        response: { 200: Ok(Decided) },
      },
    },
    async (request) => {
      const { allow, ...query } = request.body
      const { client, redirectUri } = await readValid(ctx, request, query)
      const answer = allow
        ? {
            code: await createGrant(ctx, request.caller, {
              client,
              redirectUri,
              challenge: query.code_challenge as string,
            }),
          }
        : { error: 'access_denied', error_description: 'The person refused.' }
      return ok({ redirect_to: answerUrl(ctx, request, { redirectUri, state: query.state }, answer) })
    },
  )
}

async function requireSession({ caller }: Request): Promise<void> {
  if (caller.session === undefined) forbidden('Only a person who is signed in to the console may allow a client.')
}

async function readValid(ctx: Context, request: Request, query: Static<typeof AuthorizationQuery>) {
  requireOwnServer(ctx)
  const receiver = await readReceiver(ctx, query)
  const fault = findFault(ctx, request, query)
  if (fault !== null) throw new Problem('invalid_request', fault.message)
  return receiver
}

const rights = ({ role }: Caller) => ({
  converse: allows('converse', role),
  read_configuration: allows('read-configuration', role),
  call_tools: allows('write-configuration', role),
})
