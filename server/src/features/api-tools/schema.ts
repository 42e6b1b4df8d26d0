import { type Static, Type } from 'typebox'
import type { Approvers } from '../../kernel/agent/tools.ts'
import { Choice, Derived, identity, Nullable, ReadOnly, timestamps } from '../../kernel/schema.ts'
import { second } from '../../kernel/time.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export type Method = (typeof methods)[number]

export const authTypes = ['none', 'bearer', 'api_key', 'basic', 'oauth2_client_credentials', 'oauth2'] as const

/** The readable and the secret fields of each type of authentication. */
export const authParts = {
  none: { open: [], secret: [] },
  bearer: { open: [], secret: ['token'] },
  api_key: { open: ['in', 'name'], secret: ['value'] },
  basic: { open: ['username'], secret: ['password'] },
  oauth2_client_credentials: { open: ['token_url', 'client_id', 'scope'], secret: ['client_secret'] },
  oauth2: {
    open: ['account', 'scopes', 'authorization_url', 'token_url', 'client_id'],
    secret: ['client_secret'],
  },
} as const satisfies Record<(typeof authTypes)[number], { open: readonly string[]; secret: readonly string[] }>

export type SecretPart = 'token' | 'value' | 'password' | 'client_secret'

const secret = (of: string) => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 8000,
  writeOnly: true,
  description: `For \`${of}\`. Stored encrypted and never returned. If omitted in an update, it is not changed.`,
})
const isSet = (part: SecretPart) => ({ type: 'boolean', readOnly: true, description: `Whether \`${part}\` is set.` })
const open = (of: string, description: string, more: object = {}) => ({
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description: `For \`${of}\`. ${description}`,
  ...more,
})

/** One credential, or the first of several. */
export interface Auth {
  type: (typeof authTypes)[number]
  in?: 'header' | 'query'
  name?: string
  username?: string
  token_url?: string
  client_id?: string
  scope?: string
  account?: 'user' | 'workspace'
  scopes?: string[]
  authorization_url?: string
  token_set?: boolean
  value_set?: boolean
  password_set?: boolean
  client_secret_set?: boolean
  additional?: Auth[]
}
export type AuthInput = Omit<Auth, 'additional'> & { [part in SecretPart | 'key']?: string | null } & {
  additional?: AuthInput[]
}

const credential = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { type: 'string', enum: authTypes, description: 'How requests authenticate.' },
    token: secret('bearer'),
    token_set: isSet('token'),
    in: {
      type: 'string',
      enum: ['header', 'query'],
      description: 'For `api_key`. Where it is sent. Default: `header`.',
    },
    name: open('api_key', 'The name of the header or query parameter. Default: `X-API-Key`.', { maxLength: 200 }),
    value: secret('api_key'),
    key: { ...secret('api_key'), description: 'An alias of `value`.' },
    value_set: isSet('value'),
    username: open('basic', 'The user name.'),
    password: secret('basic'),
    password_set: isSet('password'),
    account: {
      type: 'string',
      enum: ['user', 'workspace'],
      description:
        'For `oauth2`. Whose account calls use: that of the person who asks, or one of the workspace. Default: `user`.',
    },
    scopes: {
      type: 'array',
      maxItems: 100,
      items: { type: 'string', minLength: 1, maxLength: 500, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' },
      description: 'For `oauth2`. What the tool asks to do with the account. Default for MCP servers: discovered.',
    },
    authorization_url: open(
      'oauth2',
      'The page where people connect their account. Default for MCP servers: discovered.',
    ),
    token_url: open(
      'oauth2_client_credentials` and `oauth2',
      'The token endpoint. Default for MCP servers: discovered.',
    ),
    client_id: open(
      'oauth2_client_credentials` and `oauth2',
      'The client id. Default for MCP servers: a client ID metadata document, or a client that is registered.',
    ),
    client_secret: secret('oauth2_client_credentials` and `oauth2'),
    client_secret_set: isSet('client_secret'),
    scope: open('oauth2_client_credentials', 'The scopes, separated by spaces.'),
  },
}

export const Auth = Type.Unsafe<Auth>({
  ...credential,
  properties: {
    ...credential.properties,
    additional: {
      type: 'array',
      maxItems: 3,
      items: credential,
      description: 'Further credentials that are sent with each call, for APIs that require several at once.',
    },
  },
  default: { type: 'none' },
  description:
    'The credentials of calls. A change of scheme, host or port requires the secret again: it is never sent to a new address.',
})

type Scalar = string | number | boolean
export type QueryTemplate = Record<string, Scalar | Scalar[]>
const scalar = { type: ['string', 'number', 'boolean'], maxLength: 10_000 }

export interface Source {
  document: string
  operation: string
}

const minutesPerDay = 24 * 60
export const defaultApprovalMinutes = minutesPerDay
const names = (description: string) => ({
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', minLength: 1, maxLength: 200 },
  default: [],
  description,
})

const ApproversField = Type.Unsafe<Approvers | null>({
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    groups: names('Names of groups.'),
    users: names('Values of `user_id`.'),
    exclude_requester: {
      type: 'boolean',
      description:
        'Whoever asked may not decide: the user of the conversation, and the user or token that sent the message.',
    },
  },
  description:
    'The people who decide about calls that need approval: the members of these groups and these users (`user_id`), whatever their role, and nobody else. Without groups and users: whoever may write in the conversation if the tool only reads (GET, HEAD, or `readOnlyHint` of an MCP server), else editors and above.',
  examples: [{ groups: ['finance'], users: [] }],
})

export const ApiTool = Type.Object(
  {
    ...identity('api'),
    name: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      minLength: 1,
      maxLength: 64,
      examples: ['get_weather'],
      description: 'The name for the model: letters, digits, `_` and `-`. Unique in the workspace.',
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'Tells the model what the tool does and when to use it.',
    }),
    type: Choice(['http', 'mcp'], {
      default: 'http',
      description: '`http`: one call of an HTTP API. `mcp`: every tool of an MCP server (streamable HTTP) at `url`.',
    }),
    method: Choice(methods, { default: 'GET', description: 'The HTTP method of the request.' }),
    url: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'May contain `{param}` in its path and query. Values are encoded.',
      examples: ['https://api.example.com/weather/{city}'],
    }),
    parameters: Derived(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'JSON Schema (2020-12) of the arguments. Default: a required string for each `{param}`. Only declared arguments are sent: `additionalProperties` is false by default, and other arguments are dropped.',
      }),
    ),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 10_000 },
      maxProperties: 100,
      default: {},
      description: 'Templates with `{param}`. Secrets belong in `auth`.',
    }),
    query: Type.Unsafe<QueryTemplate>({
      type: 'object',
      additionalProperties: { anyOf: [scalar, { type: 'array', maxItems: 100, items: scalar }] },
      maxProperties: 100,
      default: {},
      description:
        'Templates with `{param}`. A list is sent as a repeated parameter, or joined with `{param:csv}`, `{param:ssv}` or `{param:pipes}`; `{param:json}` sends JSON. Parameters without a value are omitted.',
    }),
    body: Type.Unsafe<unknown>({
      type: ['object', 'array', 'string', 'null'],
      additionalProperties: true,
      items: {},
      description:
        'A template: `"{param}"` becomes the value with its type. Default: all arguments that are not used elsewhere are the JSON body, or the query if the method has no body.',
    }),
    auth: Auth,
    timeout_ms: Type.Integer({
      minimum: 1,
      maximum: 120 * second,
      default: 10 * second,
      description: 'How long a request may take.',
    }),
    response_path: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'A JMESPath expression that selects a part of the response.',
      }),
    ),
    max_response_bytes: Type.Integer({
      minimum: 1,
      maximum: 10 * 1024 * 1024,
      default: 1024 * 1024,
      description: 'A longer response is an error.',
    }),
    requires_approval: Nullable(
      Type.Boolean({
        description:
          'A person must approve each call. Null, the default for MCP servers: of tools that the server does not mark as reading (`readOnlyHint`). Otherwise the default is false.',
      }),
    ),
    approvers: ApproversField,
    approval_timeout_minutes: Type.Integer({
      minimum: 1,
      maximum: 30 * minutesPerDay,
      default: defaultApprovalMinutes,
      description: 'A call without a decision after this time is refused, and the turn goes on.',
    }),
    tools: Nullable(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 500, description: "The server's name for the tool." }),
            requires_approval: Type.Optional(
              Type.Boolean({ description: 'Default: as `requires_approval` of the server says.' }),
            ),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 500,
          description: 'For MCP servers: the tools that agents may use, each with its own approval. Default: all.',
        },
      ),
    ),
    source: ReadOnly(
      Type.Unsafe<Source | null>({
        type: ['object', 'null'],
        properties: { document: { type: 'string' }, operation: { type: 'string' } },
        description: 'The document and operation it was imported from.',
      }),
    ),
    ...timestamps,
  },
  { title: 'ApiTool' },
)
export type ApiTool = Static<typeof ApiTool>

const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, default: {}, description })

export const TestBody = Type.Object(
  {
    arguments: anyObject('As the model would write them.'),
    tool: Nullable(
      Type.String({
        maxLength: 500,
        description: 'For MCP servers: the tool to call. Default: list the tools.',
      }),
    ),
  },
  { additionalProperties: false, title: 'ApiToolCall', examples: [{ arguments: { city: 'Oslo' } }] },
)

const Headers = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } })

export const TestResult = Type.Object(
  {
    ok: Type.Boolean(),
    request: Type.Object({ method: Type.String(), url: Type.String(), headers: Headers }),
    status: Nullable(Type.Integer({ description: 'The status of the response, or null if there was none.' })),
    headers: Headers,
    body: Type.Unsafe<unknown>({ description: 'The content for the model: JSON or text.' }),
    latency_ms: Type.Integer(),
    dropped_arguments: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Arguments that were not sent, because `parameters` does not declare them.',
      }),
    ),
    error: Type.Optional(Type.String()),
  },
  {
    title: 'ApiToolTest',
    examples: [
      {
        request: {
          method: 'GET',
          url: 'https://api.example.com/weather/Oslo',
          headers: { authorization: 'Bearer •••' },
        },
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { temperature: 21 },
        latency_ms: 180,
      },
    ],
  },
)
export type TestResult = Static<typeof TestResult>
