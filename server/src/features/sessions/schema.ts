import { Type } from 'typebox'
import { Nullable, Timestamp } from '../../kernel/schema.ts'
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
