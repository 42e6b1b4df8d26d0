import { type Static, Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import type { Feature } from '../../kernel/feature.ts'
import { created, Done, done, Ok, ok } from '../../kernel/http/envelope.ts'
import { isSameOrigin } from '../../kernel/http/origin.ts'
import { clearSessionCookie, readSessionSecret, setSessionCookie } from '../../kernel/http/session-cookie.ts'
import type { OidcClient } from '../../kernel/oidc-settings.ts'
import { hour } from '../../kernel/time.ts'
import type { Issuer } from '../tokens/issuer.ts'
import type { Provider } from './grant.ts'
import { knownRightsMigration, sessionMigration } from './migrations.ts'
import { sealedProviderTokens } from './provider-tokens.ts'
import type { Refreshable } from './refresh.ts'
import { Session, SignedOut, SignIn, SignInSettings, SignOut } from './schema.ts'
import { cookieMaxAge, sessions as service, sessionDays } from './service.ts'
import { endSessionUrl, signInRoutes } from './sign-in.ts'

export * from './authenticate.ts'
export * from './pages.ts'
export * from './rights.ts'
export * from './schema.ts'
export * from './service.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    session: {
      id: string
      workspace_id: string
      hash: string
      /** The ID of the token, or the identity of an OIDC subject. */
      subject: string
      /** Null for a JWT. Revoking the token deletes the session. */
      token_id: string | null
      /** For a JWT or a person who signed in: the caller as JSON. */
      claims: string | null
      remember: boolean
      created_at: string
      last_used_at: string
      expires_at: string
      /** When it ends even if it is used: with the JWT. */
      ends_at: string | null
      /** The encrypted tokens of the identity provider. Null if the session was not started by signing in there. */
      provider_tokens: string | null
      /** When the identity provider has to be asked again; null: never. */
      refresh_at: string | null
      /** The end of the lease of the request that refreshes the session. */
      refresh_lease: string | null
    }
    /** The role and the groups that a person of the identity provider had last. Null: they have lost their access. */
    known_rights: { workspace_id: string; subject: string; claims: string | null; updated_at: string }
    /** The sign-ins at the identity provider that were used, until they would have expired. */
    used_login: { state: string; expires_at: string }
  }
}

declare module '../../kernel/context.ts' {
  interface FeatureState {
    sessions: {
      /** The identity provider that people sign in with; null if there is none. Its library is loaded when it is needed. */
      provider: (() => Promise<Provider>) | null
      /** The sessions that are being refreshed, by ID. */
      refreshing: Map<string, Promise<Refreshable | null>>
    }
  }
}

function signInSettings({ config: { oidc, mail: server } }: Context): Static<typeof SignInSettings> {
  const mail = server && { host: server.host, from: server.from }
  if (oidc === null) return { oidc: null, mail, session_days: sessionDays }
  const { issuer, client, audience, roleClaim: role_claim, groupsClaim: groups_claim, defaultRole: default_role } = oidc
  return {
    oidc: {
      issuer,
      client_set: client !== null,
      client_secret_set: (client?.secret ?? null) !== null,
      audience,
      role_claim,
      groups_claim,
      default_role,
    },
    mail,
    session_days: sessionDays,
  }
}

const tags = ['Sign-in']
const SignedOutResponse = Type.Object({ ...Done.properties, data: SignedOut })

/** Sessions of browsers. They use a cookie instead of a token, so that no script can read the credential. */
export const sessions: Feature = {
  name: 'sessions',
  // Sessions of tokens end with their token.
  personalData: [
    { table: 'session', person: 'subject', identity: true, erased: 'rows', counted: 'sessions' },
    { table: 'known_rights', person: 'subject', identity: true, erased: 'rows' },
  ],
  migrations: [sessionMigration, knownRightsMigration],
  sealed: [sealedProviderTokens],
  state(ctx) {
    const client = ctx.config.oidc?.client
    const { issuer } = ctx.state.tokens
    const load = async (client: OidcClient, issuer: Issuer) =>
      (await import('./provider.ts')).createProvider(ctx, issuer, client)
    return { provider: client && issuer ? () => load(client, issuer) : null, refreshing: new Map() }
  },
  jobs(ctx) {
    ctx.jobs.define({ queue: 'sessions.tidy', every: hour, run: () => service.removeExpired(ctx) })
  },
  routes(app, ctx) {
    signInRoutes(app, ctx)

    app.post(
      '/auth/session',
      {
        config: { may: 'public' },
        schema: {
          tags,
          summary: 'Sign in',
          description:
            'Starts a session of this browser with a token. The response sets the session cookie, which scripts cannot read: `__Host-parley_session` over https, `parley_session` over plain http. Requests with the cookie count only if they come from the same origin and carry the header `X-Requested-With` (reads by link need no header).',
          body: SignIn,
          response: { 201: Ok(Session) },
          responseHeaders: { 'Set-Cookie': 'The session cookie.' },
          errors: ['invalid_token', 'forbidden', 'overloaded'],
        },
      },
      async (request, reply) => {
        if (!isSameOrigin(request)) forbidden('Sign in from a page of this service: another origin sent this request.')
        const { token, remember } = request.body
        const replaces = readSessionSecret(request)
        const { secret, session } = await service.start(ctx, { token, remember, replaces, requestId: request.id })
        setSessionCookie(request, reply, secret, cookieMaxAge(remember))
        return created(reply, session)
      },
    )

    app.get(
      '/auth/session',
      {
        config: { may: 'see-status' },
        schema: { tags, summary: 'Get the current session', response: { 200: Ok(Session) } },
      },
      async (request) => ok(await service.get(ctx, request.caller)),
    )

    app.get(
      '/auth/settings',
      {
        config: { may: 'administer' },
        schema: {
          tags,
          summary: 'Get the settings of sign-in',
          description: 'They are set by variables when the service starts. Secrets are not shown.',
          response: { 200: Ok(SignInSettings) },
        },
      },
      async () => ok(signInSettings(ctx)),
    )

    app.post(
      '/auth/logout',
      {
        config: { may: 'see-status' },
        schema: {
          tags,
          summary: 'Sign out',
          description:
            'Ends this session, or with `everywhere` all sessions of its token. The token itself stays valid. After a sign-in at an identity provider, open `end_session_url` to sign out there, too.',
          body: SignOut,
          response: { 200: SignedOutResponse },
          responseHeaders: { 'Set-Cookie': 'Removes the session cookie.' },
        },
      },
      async (request, reply) => {
        const { everywhere } = request.body
        const tokens = await service.end(ctx, request.caller, { everywhere })
        clearSessionCookie(request, reply)
        return {
          ...done(everywhere ? 'You are signed out everywhere.' : 'You are signed out.'),
          data: { end_session_url: tokens && (await endSessionUrl(ctx, request, tokens.idToken)) },
        }
      },
    )
  },
}
