import { type Static, Type } from 'typebox'
import { Groups } from '../../kernel/access.ts'
import { roles, scopes } from '../../kernel/context.ts'
import { Choice, Derived, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'

export const Token = Type.Object(
  {
    ...identity('tok'),
    name: Name,
    role: Derived(
      Choice(roles, {
        description:
          'The role, which says what the token may do. You cannot create a token with a higher role than your own. Required, unless `scopes` has `metrics`.',
      }),
    ),
    scopes: Type.Array(Choice(scopes), {
      uniqueItems: true,
      maxItems: scopes.length,
      default: [],
      description:
        'If there are any, the token may do nothing else, whatever its role: with `metrics` it reads `/metrics`, which are about all workspaces, so only an owner creates it; with `mcp` it uses the MCP server, `/mcp`, as its role lets it.',
      examples: [[]],
    }),
    user_id: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The user of the token. Required for the role `user`.',
      }),
    ),
    groups: Groups,
    client: ReadOnly(
      Nullable(
        Type.String({
          description:
            'The host of the program that a person connected to the MCP server by OAuth. Its token is renewed while the program uses it, and has the groups of the token that the person was signed in with. Null: a token that somebody created.',
          examples: ['claude.ai'],
        }),
      ),
    ),
    prefix: ReadOnly(
      Type.String({ description: 'The first characters of the secret, to recognize it.', examples: ['parley_h8Kd'] }),
    ),
    rate_limit: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Requests per minute instead of the default; 0 for no limit.',
      }),
    ),
    expires_at: Nullable({ ...Timestamp, description: 'When it stops working. Null: never.' }),
    last_used_at: ReadOnly(Nullable(Timestamp)),
    ...timestamps,
  },
  { title: 'Token' },
)
export type Token = Static<typeof Token>

const { name, client, last_used_at } = Token.properties

/** The token of a connected client, as the person who connected it sees it. */
export const ConnectedClient = Type.Object(
  {
    ...identity('tok'),
    name: { ...name, description: 'The name of the program.' },
    client,
    last_used_at,
    ...timestamps,
  },
  { title: 'ConnectedClient' },
)

/** Whether it was created by the API or comes from ADMIN_TOKEN. */
export type TokenOrigin = 'made' | 'environment'

export const CreatedToken = Type.Object(
  {
    ...Token.properties,
    secret: Type.String({ description: 'The token itself. It is shown only once.' }),
    token: Type.String({ description: 'The same as `secret`.' }),
  },
  { title: 'CreatedToken', examples: [{ secret: 'parley_h8Kd…', token: 'parley_h8Kd…' }] },
)

/** The caller, for clients that show only what their token may do. */
export const Me = Type.Object(
  {
    role: Choice(roles),
    user_id: Nullable(Type.String({ description: 'The user of the token.' })),
    groups: Type.Array(Type.String(), { description: 'The groups of the user.', examples: [['finance']] }),
    workspace: Type.Object(
      {
        id: Type.String({ examples: ['wsp_01k9z8q4m6e3v7t2w5x8y1a4bc'] }),
        name: Type.String({ examples: ['default'] }),
      },
      { title: 'WorkspaceOfMe', description: 'The workspace of this request: that of `X-Workspace` if sent.' },
    ),
    token: Type.Object(
      {
        id: Type.String(),
        name: Nullable(Type.String({ description: 'For a person of the identity provider, their name.' })),
      },
      { title: 'TokenOfMe', examples: [{ id: 'tok_01k9z8q4m6e3v7t2w5x8y1a4bc', name: 'CI' }] },
    ),
  },
  { title: 'Me', examples: [{ role: 'editor' }] },
)
