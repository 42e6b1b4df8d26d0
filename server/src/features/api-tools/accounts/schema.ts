import { type Static, Type } from 'typebox'
import { Choice, identity, Nullable, ReadOnly, Timestamp, timestamps } from '../../../kernel/schema.ts'

/** An account of a person, or of the workspace, at the provider of a tool. */
export const Connection = Type.Object(
  {
    ...identity('con'),
    tool_id: Type.String({ description: 'The API tool or MCP server that uses the account.' }),
    tool_name: ReadOnly(Type.String({ description: 'The name of this tool.' })),
    account: Choice(['user', 'workspace'], { description: 'Whose account it is.' }),
    user_id: Nullable(Type.String({ description: 'The person. Null for the account of the workspace.' })),
    issuer: Type.String({ description: 'The authorization server that issued the tokens.' }),
    scopes: Type.Array(Type.String(), { description: 'The rights that the tool has with the account.' }),
    status: Choice(['connected', 'expired', 'revoked'], {
      description:
        '`expired`: the access has ended and cannot be renewed. `revoked`: the provider has refused to renew it. The next call asks to connect again.',
    }),
    connected_at: Timestamp,
    last_used_at: Nullable(Timestamp),
    ...timestamps,
  },
  {
    title: 'Connection',
    examples: [
      {
        tool_id: 'api_01k9z8q4m6e3v7t2w5x8y1a4bc',
        account: 'user',
        user_id: 'ada',
        issuer: 'https://accounts.example.com',
        scopes: ['calendar.read'],
        status: 'connected',
      },
    ],
  },
)
export type Connection = Static<typeof Connection>

export const connectionFilters = {
  all: Type.Optional(
    Type.Boolean({ description: 'For admins: the connections of everybody, and of the workspace. Default: your own.' }),
  ),
}

export const ConnectBody = Type.Object(
  { tool_id: Type.String({ minLength: 1, maxLength: 200, description: 'A tool with `auth` of type `oauth2`.' }) },
  {
    additionalProperties: false,
    title: 'Connect',
    required: ['tool_id'],
    examples: [{ tool_id: 'api_01k9z8q4m6e3v7t2w5x8y1a4bc' }],
  },
)

export const Authorization = Type.Object(
  { authorize_url: Type.String({ description: 'Open it in a browser to connect the account. It works once.' }) },
  { title: 'ConnectionAuthorization', examples: [{ authorize_url: 'https://accounts.example.com/authorize?…' }] },
)

const text = (description: string) => Type.Optional(Type.String({ maxLength: 8000, description }))
export const CallbackQuery = Type.Object(
  {
    state: text('Names the flow. It works once.'),
    code: text('The code that is exchanged for tokens.'),
    iss: text('The issuer (RFC 9207).'),
    error: text('Why the person was refused.'),
    error_description: text('The same in words.'),
    error_uri: text('A page about it.'),
  },
  { additionalProperties: true },
)

/** The client ID metadata document of this service. */
export const ClientDocument = Type.Object(
  {
    client_id: Type.String(),
    client_name: Type.String(),
    client_uri: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    grant_types: Type.Array(Type.String()),
    response_types: Type.Array(Type.String()),
    token_endpoint_auth_method: Type.String(),
  },
  { title: 'ClientIdMetadataDocument' },
)
