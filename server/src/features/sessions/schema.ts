import { Type } from 'typebox'
import { roles } from '../../kernel/context.ts'
import { Choice, Nullable, Timestamp } from '../../kernel/schema.ts'
import { Me } from '../tokens/schema.ts'

export const SignIn = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 16_384, description: 'A token, or a JWT of the configured issuer.' }),
    remember: Type.Boolean({
      default: false,
      description:
        'Stay signed in for 30 days after the last request. Otherwise until the browser closes, at most 7 days after the last request.',
    }),
  },
  { title: 'SignIn', additionalProperties: false, examples: [{ token: 'parley_h8Kd…', remember: true }] },
)

export const SignOut = Type.Object(
  {
    everywhere: Type.Boolean({ default: false, description: 'End all sessions of this token, in every browser.' }),
  },
  { title: 'SignOut', additionalProperties: false, examples: [{ everywhere: true }] },
)

export const SignedOut = Type.Object(
  {
    end_session_url: Nullable(
      Type.String({ description: 'Where the browser should go to sign out at the identity provider, too.' }),
    ),
  },
  { title: 'SignedOut', examples: [{ end_session_url: null }] },
)

export const SignInMethods = Type.Object(
  {
    token: Type.Boolean({ description: 'With a token: `POST /auth/session`.' }),
    oidc: Nullable(
      Type.Object(
        {
          name: Type.String({ description: 'The name of the identity provider.', examples: ['Acme'] }),
          login_url: Type.String({
            description: 'Open it in the browser, with `return_to` as a parameter.',
            examples: ['/api/auth/login'],
          }),
        },
        { title: 'OidcSignIn', description: 'Null if no identity provider is configured.' },
      ),
    ),
  },
  { title: 'SignInMethods', examples: [{ token: true }] },
)

/** For admins: no secret and nothing that helps to sign in. */
export const SignInSettings = Type.Object(
  {
    oidc: Nullable(
      Type.Object(
        {
          issuer: Type.String({ examples: ['https://login.example.com/realms/acme'] }),
          client_set: Type.Boolean({ description: 'Whether people can sign in: `OIDC_CLIENT_ID` is set.' }),
          client_secret_set: Type.Boolean({ description: 'Without one, PKCE alone protects the client.' }),
          audience: Nullable(Type.String({ description: 'JWTs for this audience are tokens. Null if none is.' })),
          role_claim: Nullable(
            Type.String({ description: 'Null: `parley_role`, or else `role`.', examples: ['realm_access.roles'] }),
          ),
          groups_claim: Type.String({ examples: ['groups'] }),
          default_role: Nullable(
            Choice(roles, { description: 'The role of people without one. Null if they have no access.' }),
          ),
        },
        { title: 'OidcSettings', description: 'Null if no identity provider is configured.' },
      ),
    ),
    mail: Nullable(
      Type.Object(
        {
          host: Type.String({ examples: ['mail.example.com'] }),
          from: Type.String({ description: 'The sender.', examples: ['Parley <parley@example.com>'] }),
        },
        { title: 'MailSettings', description: 'The server that sends invitations. Null: nothing is sent.' },
      ),
    ),
    session_days: Type.Object(
      {
        remembered: Type.Integer({ examples: [30] }),
        otherwise: Type.Integer({ examples: [7] }),
      },
      { description: 'How long a session lasts after its last request, in days.' },
    ),
  },
  { title: 'SignInSettings' },
)

export const LoginQuery = Type.Object({
  return_to: Type.Optional(
    Type.String({ description: 'The page to return to, such as `/agents?q=support`. Other sites are ignored.' }),
  ),
  prompt: Type.Optional(
    Type.Literal('select_account', { description: 'Asks which account to use, even if one is signed in.' }),
  ),
})

/** Providers add parameters of their own. */
export const CallbackQuery = Type.Object(
  {
    state: Type.Optional(Type.String({ description: 'The sign-in that this answers.' })),
    code: Type.Optional(Type.String({ description: 'The authorization code.' })),
    error: Type.Optional(Type.String({ description: 'Why nobody is signed in, instead of a code.' })),
  },
  { additionalProperties: true },
)

export const Session = Type.Object(
  {
    ...Me.properties,
    session: Nullable(
      Type.Object(
        {
          remember: Type.Boolean(),
          created_at: Timestamp,
          expires_at: Timestamp,
        },
        { title: 'BrowserSession', description: 'Null if the request has a bearer token.' },
      ),
    ),
  },
  { title: 'Session' },
)
