import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'

interface Person {
  /** In the ID token and in the response of userinfo. */
  claims: Record<string, unknown>
  /** Only in the response of userinfo. */
  userinfo?: Record<string, unknown>
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

export const clientOfTests = { OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'the-secret-of-the-client' }
const claimNames = ['name', 'email', 'role', 'groups', 'workspace', 'realm_access', 'https://acme.example/roles']

/** A certified identity provider on loopback. The people in `people` sign in with their name alone. */
export async function startIdentityProvider() {
  const people = new Map<string, Person>()
  const adapter = createMemoryAdapter()
  const settings = { refreshTokens: true, isDown: false, userinfoIsDown: false }
  /** How often each endpoint was asked. */
  const asked = new Map<string, number>()
  let provider: Provider
  let handle: ReturnType<Provider['callback']>

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] as string
    if (settings.isDown || (settings.userinfoIsDown && path === '/me')) return request.socket.destroy()
    asked.set(path, (asked.get(path) ?? 0) + 1)
    if (path.startsWith('/interaction/')) void interact(provider, request, response)
    else void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Signs with a new key from now on; the old one is gone. */
  async function rotateKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    provider = new Provider(issuer, buildConfiguration(adapter, settings, people, await exportJWK(privateKey)))
    // The port of the service is not known yet.
    Object.assign(provider.Client.prototype, {
      redirectUriAllowed: (uri: string) => /^http:\/\/127\.0\.0\.1:\d+\/api\/auth\/callback$/.test(uri),
      postLogoutRedirectUriAllowed: (uri: string) => /^http:\/\/127\.0\.0\.1:\d+\/$/.test(uri),
    })
    handle = provider.callback()
  }
  await rotateKeys()
  return {
    issuer,
    people,
    settings,
    rotateKeys,
    timesAsked: (path: string) => asked.get(path) ?? 0,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const buildConfiguration = (
  adapter: object,
  settings: { refreshTokens: boolean },
  people: Map<string, Person>,
  key: object,
) => ({
  adapter,
  clients: [
    {
      client_id: clientOfTests.OIDC_CLIENT_ID,
      client_secret: clientOfTests.OIDC_CLIENT_SECRET,
      redirect_uris: ['http://127.0.0.1/api/auth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: crypto.randomUUID() }] },
  cookies: { keys: ['the-key-of-cookies'] },
  claims: { openid: ['sub', ...claimNames], profile: [], email: [] },
  scopes: ['openid', 'offline_access'],
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: true, logoutSource: askToSignOut },
  },
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  findAccount: (_context: unknown, id: string) => findAccount(people, id),
  issueRefreshToken: () => settings.refreshTokens,
  rotateRefreshToken: () => true,
  /** Nobody is asked for consent. */
  loadExistingGrant: async ({ oidc }: GrantContext) => {
    const { provider, client, session, params } = oidc
    const known = session.grantIdFor(client.clientId)
    if (known) return provider.Grant.find(known)
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    grant.addOIDCScope(params.scope)
    await grant.save()
    return grant
  },
  ttl: { AccessToken: 60, IdToken: 36_000, RefreshToken: 36_000, Session: 36_000, Grant: 36_000, Interaction: 600 },
})

interface GrantContext {
  oidc: {
    provider: Provider
    client: { clientId: string }
    session: { accountId: string; grantIdFor(client: string): string | undefined }
    params: { scope: string }
  }
}

function findAccount(people: Map<string, Person>, id: string) {
  const person = people.get(id)
  if (!person) return undefined
  const claims = (use: string) => ({ sub: id, ...person.claims, ...(use === 'userinfo' && person.userinfo) })
  return { accountId: id, claims }
}

const html = (response: ServerResponse, body: string) =>
  response.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="en"><body>${body}</body></html>`)

/** The page of the provider where people enter their name, or cancel. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    const field = '<label>Account <input name="account"></label>'
    const buttons =
      '<button name="action" value="login">Log in</button><button name="action" value="cancel">Cancel</button>'
    html(response, `<h1>Provider</h1><form method="post">${field}${buttons}</form>`)
    return
  }
  const form = new URLSearchParams(await text(request))
  const isCancelled = form.get('action') === 'cancel'
  const denied = { error: 'access_denied', error_description: '<b>cancelled</b>' }
  const login = { login: { accountId: form.get('account') } }
  await provider.interactionFinished(request, response, isCancelled ? denied : login)
}

function askToSignOut(context: { body: string }, form: string): void {
  const button = '<button type="submit" form="op.logoutForm" value="yes" name="logout">Yes, log out</button>'
  context.body = `<!doctype html><html lang="en"><body><h1>Provider</h1>${form}${button}</body></html>`
}
