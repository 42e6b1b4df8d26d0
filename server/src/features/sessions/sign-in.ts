import type { Context } from '../../kernel/context.ts'
import { Problem, reason } from '../../kernel/errors.ts'
import type { App, Reply, Request } from '../../kernel/http/app.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { publicOrigin } from '../../kernel/http/origin.ts'
import { readSessionSecret, setSessionCookie } from '../../kernel/http/session-cookie.ts'
import type { Oidc, OidcClient } from '../../kernel/oidc-settings.ts'
import { displayName, type Identified, identify } from '../tokens/claims.ts'
import { explained, type Grant, NotSignedIn, type Provider } from './grant.ts'
import { setLoginCookie, takeLogin } from './login-cookie.ts'
import { sendPage } from './pages.ts'
import { CallbackQuery, LoginQuery, SignInMethods } from './schema.ts'
import { cookieMaxAge, sessions as service } from './service.ts'

const loginPath = '/api/auth/login'
const tags = ['Sign-in']

/** Signing in with the identity provider: authorization code with PKCE. */
export function signInRoutes(app: App, ctx: Context): void {
  app.get(
    '/auth/methods',
    {
      config: { may: 'public', unlimited: true },
      schema: {
        tags,
        summary: 'List the ways to sign in',
        description: 'For the sign-in page. A token always works.',
        response: { 200: Ok(SignInMethods) },
      },
    },
    async () => {
      const client = ctx.config.oidc?.client
      return ok({ token: true, oidc: client ? { name: client.name, login_url: loginPath } : null })
    },
  )

  app.get(
    '/auth/login',
    {
      config: { may: 'public' },
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'Sign in with the identity provider',
        description:
          'For browsers: redirects to the identity provider (authorization code with PKCE). What goes wrong is shown as a page.',
        querystring: LoginQuery,
        response: { 302: { type: 'null', description: 'To the identity provider.' } },
        responseHeaders: { Location: 'The address to go to.', 'Set-Cookie': 'Remembers this sign-in for 10 minutes.' },
        errors: ['not_found', 'overloaded'],
      },
    },
    async (request, reply) => {
      const { provider } = await configured(ctx)
      const { return_to, prompt } = request.query
      const redirectUri = `${publicOrigin(ctx.config, request)}/api/auth/callback`
      try {
        const { url, checks } = await provider.login(redirectUri, { otherAccount: prompt === 'select_account' })
        setLoginCookie(ctx, request, reply, { ...checks, returnTo: returnPath(return_to) })
        return reply.header('cache-control', 'no-store').redirect(url)
      } catch (error) {
        ctx.log.error({ err: error, request: request.id }, 'a sign-in could not start')
        return sendUnreachable(reply)
      }
    },
  )

  app.get(
    '/auth/callback',
    {
      config: { may: 'public' },
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'Finish to sign in',
        description:
          'The redirect URI to register at the identity provider. It starts a session and redirects into the console. A person without a role or workspace, and whoever could not be signed in, gets a page that says so.',
        querystring: CallbackQuery,
        response: { 302: { type: 'null', description: 'Into the console.' } },
        responseHeaders: { Location: 'The page that was asked for.', 'Set-Cookie': 'The session cookie.' },
        errors: ['not_found', 'forbidden', 'overloaded'],
      },
    },
    async (request, reply) => {
      const { provider, oidc, client } = await configured(ctx)
      const { searchParams: query } = new URL(request.url, 'http://parley.invalid')
      const login = await takeLogin(ctx, request, reply, query.get('state') ?? '')
      if (login === null) return sendExpired(reply)
      const origin = new URL(login.redirectUri).origin
      let grant: Grant
      try {
        grant = await provider.exchange(query, login)
      } catch (error) {
        ctx.log.warn({ reason: explained(error), request: request.id }, 'a sign-in failed')
        return error instanceof NotSignedIn ? sendFailed(reply, error, login.returnTo) : sendUnreachable(reply)
      }
      const identity = await identify(ctx, oidc, grant.claims)
      if (identity.caller === null) {
        const endSession = await endSessionUrl(ctx, request, grant.idToken)
        return sendWithoutAccess(reply, { lacks: identity.lacks, grant, client, endSession })
      }
      const replaces = readSessionSecret(request)
      const { secret } = await service.startSignedIn(ctx, {
        caller: identity.caller,
        grant,
        replaces,
        requestId: request.id,
      })
      setSessionCookie(request, reply, secret, cookieMaxAge(true), { secure: origin.startsWith('https:') })
      return reply.header('cache-control', 'no-store').redirect(login.returnTo)
    },
  )
}

/** The parts of sign-in, which exist if OIDC_CLIENT_ID is set. */
async function configured(ctx: Context): Promise<{ provider: Provider; oidc: Oidc; client: OidcClient }> {
  const { provider } = ctx.state.sessions
  const { oidc } = ctx.config
  if (!provider || !oidc?.client)
    throw new Problem('not_found', 'No identity provider is configured for sign-in (OIDC_ISSUER, OIDC_CLIENT_ID).')
  return { provider: await provider(), oidc, client: oidc.client }
}

/** Where to sign out at the provider, too. Signing out here works without it. */
export async function endSessionUrl(ctx: Context, request: Request, idToken: string | null): Promise<string | null> {
  try {
    const provider = await ctx.state.sessions.provider?.()
    return (await provider?.endSessionUrl(idToken, `${publicOrigin(ctx.config, request)}/`)) ?? null
  } catch (error) {
    ctx.log.warn({ reason: reason(error) }, 'the identity provider does not say where to sign out')
    return null
  }
}

/** A page of this service. Anything else would let a link lead people to another site after they sign in. */
function returnPath(returnTo: string | undefined): string {
  const here = 'http://parley.invalid'
  if (returnTo === undefined || !/^\/(?![/\\])[\x21-\x7e]*$/.test(returnTo) || !URL.canParse(returnTo, here)) return '/'
  const { origin, pathname, search } = new URL(returnTo, here)
  const isPage = origin === here && !/^\/(\/|api(\/|$))/i.test(pathname)
  return isPage ? `${pathname}${search}` : '/'
}

const tryAgain = (returnTo = '/') => ({
  text: 'Try again',
  href: `${loginPath}?return_to=${encodeURIComponent(returnTo)}`,
})
const otherAccount = { text: 'Use another account', href: `${loginPath}?prompt=select_account` }
const otherWays = { text: 'Other ways to sign in', href: '/' }

const sendUnreachable = (reply: Reply): Reply =>
  sendPage(reply, {
    status: 503,
    title: 'Sign-in is not available',
    paragraphs: ['The identity provider did not answer as expected. Wait a moment and try again.'],
    links: [tryAgain(), otherWays],
  })

const sendExpired = (reply: Reply): Reply =>
  sendPage(reply, {
    status: 400,
    title: 'This sign-in has expired',
    paragraphs: ['It took longer than 10 minutes, was already used, or was started in another browser.'],
    links: [tryAgain(), { text: 'Open Parley', href: '/' }],
  })

const sendFailed = (reply: Reply, { code }: NotSignedIn, returnTo: string): Reply =>
  sendPage(reply, {
    status: code === 'access_denied' ? 403 : 400,
    title: code === 'access_denied' ? 'Sign-in was cancelled' : 'You could not be signed in',
    paragraphs: [
      code === 'access_denied'
        ? 'You cancelled it, or the identity provider did not allow it.'
        : 'The answer of the identity provider was not valid. Nobody is signed in.',
    ],
    links: [tryAgain(returnTo), otherAccount, otherWays],
  })

interface WithoutAccess {
  lacks: Extract<Identified, { caller: null }>['lacks']
  grant: Grant
  client: OidcClient
  endSession: string | null
}

function sendWithoutAccess(reply: Reply, { lacks, grant: { claims }, client, endSession }: WithoutAccess): Reply {
  const name = displayName(claims) ?? claims.sub ?? ''
  const email = typeof claims.email === 'string' && claims.email !== name ? ` (${claims.email})` : ''
  const missing = {
    role: 'Your account has no role in Parley yet.',
    workspace: 'Your account has no workspace in Parley yet.',
    user: 'Your account has no user ID that Parley can use.',
  }[lacks]
  return sendPage(reply, {
    status: 403,
    title: 'You have no access to Parley',
    paragraphs: [`You are signed in at ${client.name} as ${name}${email}.`, missing, contactLine(client.contact)],
    links: [otherAccount, endSession === null ? otherWays : { text: 'Sign out', href: endSession }],
  })
}

function contactLine(contact: string | null) {
  if (contact === null) return 'Ask your administrator for access.'
  const isMail = /^[^\s@<>"]+@[^\s@<>"]+$/.test(contact)
  const isAddress = /^https?:\/\//i.test(contact)
  if (!isMail && !isAddress) return `Ask ${contact} for access.`
  return { text: 'Ask for access:', link: { text: contact, href: isMail ? `mailto:${contact}` : contact } }
}
