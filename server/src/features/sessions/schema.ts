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
