import { type Static, Type } from 'typebox'
import { roles } from '../../kernel/context.ts'
import { Choice, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'

export const Token = Type.Object(
  {
    ...identity('tok'),
    name: Name,
    role: Choice(roles, { description: 'What the token may do. Nobody can make one that may do more than their own.' }),
    user_id: Nullable(
      Type.String({ minLength: 1, maxLength: 200, description: 'Whose token it is. A token of role `user` needs it.' }),
    ),
    prefix: ReadOnly(
      Type.String({ description: 'How the secret begins, to recognise it by.', examples: ['parley_h8Kd'] }),
    ),
    rate_limit: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Requests a minute, in place of the default; 0 for no limit.',
      }),
    ),
    expires_at: Nullable(Timestamp),
    last_used_at: ReadOnly(Nullable(Timestamp)),
    ...timestamps,
  },
  { title: 'Token' },
)
export type Token = Static<typeof Token>

/** Whether it was made through the API or comes from ADMIN_TOKEN. */
export type TokenOrigin = 'made' | 'environment'

export const CreatedToken = Type.Object(
  {
    ...Token.properties,
    secret: Type.String({ description: 'The token itself. It is shown here and never again.' }),
    token: Type.String({ description: 'The same as `secret`.' }),
  },
  { title: 'CreatedToken' },
)

/** Who is asking, for a program that wants to show only what its token may do. */
export const Me = Type.Object(
  {
    role: Choice(roles),
    user_id: Nullable(Type.String({ description: 'Whose token it is.' })),
    workspace: Type.Object(
      {
        id: Type.String({ examples: ['wsp_01k9z8q4m6e3v7t2w5x8y1a4bc'] }),
        name: Type.String({ examples: ['default'] }),
      },
      { title: 'WorkspaceOfMe', description: 'Where this request acts: the one of `X-Workspace`, where it is sent.' },
    ),
    token: Type.Object(
      { id: Type.String(), name: Nullable(Type.String({ description: 'Null for a JWT.' })) },
      { title: 'TokenOfMe' },
    ),
  },
  { title: 'Me' },
)
