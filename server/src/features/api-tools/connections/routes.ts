import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import type { App, Reply, Request } from '../../../kernel/http/app.ts'
import { Done, done, Ok, ok } from '../../../kernel/http/envelope.ts'
import { publicOrigin } from '../../../kernel/http/origin.ts'
import { resourceRoutes } from '../../../kernel/http/resource-routes.ts'
import { readSessionSecret } from '../../../kernel/http/session-cookie.ts'
import { createSessionAuthenticator } from '../../sessions/authenticate.ts'
import { sendPage } from '../../sessions/pages.ts'
import { createAuthenticator } from '../../tokens/authenticate.ts'
import { clientDocumentPath, clientMetadata } from '../accounts/discovery.ts'
import {
  Authorization,
  CallbackQuery,
  ClientDocument,
  ConnectBody,
  Connection,
  connectionFilters,
} from '../accounts/schema.ts'
import { connections, UnknownState } from './service.ts'

const tags = ['Connections']

const wantsPage = ({ headers }: Request): boolean => /\btext\/html\b/.test(headers.accept ?? '')

const links = [{ text: 'Open the console', href: '/' }]

export function connectionRoutes(app: App, ctx: Context): void {
  const findSession = createSessionAuthenticator(ctx)
  const findToken = createAuthenticator(ctx)
  const { kind, list, get, remove } = connections
  resourceRoutes(app, ctx, {
    path: '/connections',
    title: 'Connection',
    tag: 'Connections',
    shape: Connection,
    computed: ['tool_name'],
    filters: connectionFilters,
    service: { kind, list, get, remove },
    read: 'converse',
    write: 'converse',
    example: { account: 'user', user_id: 'ada', status: 'connected', scopes: ['calendar.read'] },
  })

  app.post(
    '/connections',
    {
      config: { may: 'converse' },
      schema: {
        tags,
        summary: 'Connect an account',
        description:
          'Answers with the page of the provider that the person opens. It ends at `GET /connections/callback`, and replies that wait for the account go on. The account of a workspace is connected by editors and above.',
        body: ConnectBody,
        response: { 200: Ok(Authorization) },
        errors: ['unknown_reference', 'egress_blocked', 'provider_error', 'forbidden'],
      },
    },
    async (request) => {
      const origin = publicOrigin(ctx.config, request as Request)
      return ok({ authorize_url: await connections.connect(ctx, request.caller, request.body.tool_id, origin) })
    },
  )

  app.get(
    '/connections/client.json',
    {
      config: { may: 'public' },
      schema: {
        tags,
        summary: 'Describe this service to authorization servers',
        description: 'The client ID metadata document. Its address is the client ID at servers that support it.',
        response: { 200: ClientDocument },
      },
    },
    async (request) => {
      const origin = publicOrigin(ctx.config, request as Request)
      return { client_id: `${origin}${clientDocumentPath}`, ...clientMetadata(origin) }
    },
  )

  app.get(
    '/connections/callback',
    {
      config: { may: 'public' },
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'Finish to connect an account',
        description:
          'The redirect URI to register at the provider. A browser gets a page. It never redirects. A state works once, and only in the browser of the person it was made for, if that has a session. The account of the workspace needs the session or the token of an editor.',
        querystring: CallbackQuery,
        response: { 200: Done },
        errors: ['forbidden', 'egress_blocked', 'provider_error', 'not_found'],
      },
    },
    async (request, reply) => finish(request as Request, reply as unknown as Reply),
  )

  /** The caller by the session or the token of a request, which may have neither. */
  async function findCaller(request: Request): Promise<Caller | null> {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const secret = readSessionSecret(request)
    const options = { duringOutage: false }
    if (token !== undefined) return (await findToken(token, options))?.caller ?? null
    return secret === null ? null : ((await findSession(secret, options))?.caller ?? null)
  }

  async function finish(request: Request, reply: Reply) {
    const query = new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1))
    reply.header('cache-control', 'no-store')
    try {
      const { name } = await connections.finish(ctx, {
        query,
        caller: await findCaller(request),
        requestId: request.id,
      })
      if (!wantsPage(request)) return done(`${name} is connected.`)
      return sendPage(reply, {
        status: 200,
        title: `${name} is connected`,
        paragraphs: ['You can close this window. Replies that waited for the account go on by themselves.'],
        links,
      })
    } catch (error) {
      if (!(error instanceof Problem) || !wantsPage(request)) throw error
      if (error instanceof UnknownState)
        return sendPage(reply, {
          status: 400,
          title: 'This link does not work any more',
          paragraphs: [
            'It was used already, or has expired. If you have just connected the account in another window or tab, all is done: you can close this one.',
            'Otherwise start again from the conversation, or from Settings, Connected accounts.',
          ],
          links,
        })
      return sendPage(reply, {
        status: error.code === 'forbidden' ? 403 : error.code === 'provider_error' ? 502 : 400,
        title: 'The account was not connected',
        paragraphs: [error.message, 'Start again from the conversation, or from Settings, Connected accounts.'],
        links,
      })
    }
  }
}
