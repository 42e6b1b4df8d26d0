import { type Static, Type } from 'typebox'
import { Choice, Derived, identity, Nullable, ReadOnly, timestamps } from '../../kernel/schema.ts'
import { second } from '../../kernel/time.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export type Method = (typeof methods)[number]

export const authTypes = ['none', 'bearer', 'api_key', 'basic', 'oauth2_client_credentials'] as const

/** What each kind of authentication consists of: what is told to everyone, and what is never told. */
export const authParts = {
  none: { open: [], secret: [] },
  bearer: { open: [], secret: ['token'] },
  api_key: { open: ['in', 'name'], secret: ['value'] },
  basic: { open: ['username'], secret: ['password'] },
  oauth2_client_credentials: { open: ['token_url', 'client_id', 'scope'], secret: ['client_secret'] },
} as const satisfies Record<(typeof authTypes)[number], { open: readonly string[]; secret: readonly string[] }>

export type SecretPart = 'token' | 'value' | 'password' | 'client_secret'

const secret = (of: string) => ({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 8000,
  writeOnly: true,
  description: `Of \`${of}\`. Kept encrypted, never read back. Left out in a change: stays as it is.`,
})
const isSet = (part: SecretPart) => ({ type: 'boolean', readOnly: true, description: `Whether \`${part}\` is set.` })
const open = (of: string, description: string, more: object = {}) => ({
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description: `Of \`${of}\`. ${description}`,
  ...more,
})

export interface Auth {
  type: (typeof authTypes)[number]
  in?: 'header' | 'query'
  name?: string
  username?: string
  token_url?: string
  client_id?: string
  scope?: string
  token_set?: boolean
  value_set?: boolean
  password_set?: boolean
  client_secret_set?: boolean
}
export type GivenAuth = Auth & { [part in SecretPart | 'key']?: string | null }

const Auth = Type.Unsafe<Auth>({
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { type: 'string', enum: authTypes },
    token: secret('bearer'),
    token_set: isSet('token'),
    in: { type: 'string', enum: ['header', 'query'], description: 'Of `api_key`: where it goes. Left out: `header`.' },
    name: open('api_key', 'The name of the header or query parameter. Left out: `X-API-Key`.', { maxLength: 200 }),
    value: secret('api_key'),
    key: { ...secret('api_key'), description: 'Another name for `value`.' },
    value_set: isSet('value'),
    username: open('basic', 'The user name.'),
    password: secret('basic'),
    password_set: isSet('password'),
    token_url: open('oauth2_client_credentials', 'Where tokens are given.'),
    client_id: open('oauth2_client_credentials', 'Who asks for them.'),
    client_secret: secret('oauth2_client_credentials'),
    client_secret_set: isSet('client_secret'),
    scope: open('oauth2_client_credentials', 'The scopes to ask for, separated by spaces.'),
  },
  default: { type: 'none' },
  description:
    'How calls prove who they are. Changing where the calls go needs the secret again: a key never travels to a new address.',
})

const withoutDefault = ({ default: _, ...schema }: object & { default?: unknown }) => schema

type Scalar = string | number | boolean
export type QueryTemplate = Record<string, Scalar | Scalar[]>
const scalar = { type: ['string', 'number', 'boolean'], maxLength: 10_000 }

/** Where a tool came from, when it was imported. */
export interface Source {
  document: string
  operation: string
}

export const ApiTool = Type.Object(
  {
    ...identity('api'),
    name: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      minLength: 1,
      maxLength: 64,
      examples: ['get_weather'],
      description: 'What the model calls it: letters, digits, `_` and `-`. No two tools of a workspace share one.',
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
    method: Choice(methods, { default: 'GET' }),
    url: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'May hold `{param}` in its path and query. Values are encoded for their place.',
      examples: ['https://api.example.com/weather/{city}'],
    }),
    parameters: Derived(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'JSON Schema (2020-12) of the arguments. Left out: one required text for each `{param}` of the templates.',
      }),
    ),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 10_000 },
      maxProperties: 100,
      default: {},
      description: 'Templates over the arguments. Not a place for secrets: those belong in `auth`.',
    }),
    query: Type.Unsafe<QueryTemplate>({
      type: 'object',
      additionalProperties: { anyOf: [scalar, { type: 'array', maxItems: 100, items: scalar }] },
      maxProperties: 100,
      default: {},
      description:
        'Templates over the arguments. A list is sent as a repeated parameter, or joined with `{param:csv}`, `{param:ssv}` or `{param:pipes}`; `{param:json}` sends JSON. One whose argument is missing is left out.',
    }),
    body: Type.Unsafe<unknown>({
      type: ['object', 'array', 'string', 'null'],
      additionalProperties: true,
      items: {},
      description:
        'A template over the arguments: `"{param}"` becomes the value with its type. Left out: the arguments that are not used elsewhere are the JSON body, or the query where the method has no body.',
    }),
    auth: Auth,
    timeout_ms: Type.Integer({ minimum: 1, maximum: 120 * second, default: 10 * second }),
    response_path: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'A JMESPath expression: the part of the answer to keep.',
      }),
    ),
    max_response_bytes: Type.Integer({ minimum: 1, maximum: 10 * 1024 * 1024, default: 1024 * 1024 }),
    requires_approval: Type.Boolean({ default: false, description: 'A person must agree to each call.' }),
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
        description: 'Of an MCP server: the tool to call. Left out: its tools are listed.',
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
    status: Nullable(Type.Integer({ description: 'Of the answer; null where none came.' })),
    headers: Headers,
    body: Type.Unsafe<unknown>({ description: 'What the model would be told: JSON or text.' }),
    latency_ms: Type.Integer(),
    error: Type.Optional(Type.String()),
  },
  { title: 'ApiToolTest' },
)
export type TestResult = Static<typeof TestResult>

export const ImportBody = Type.Object(
  {
    spec: Type.Optional(
      Type.Unsafe<Record<string, unknown> | string>({
        type: ['object', 'string'],
        description: 'An OpenAPI 3.0 or 3.1 document: an object, or its JSON or YAML text.',
      }),
    ),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 4000, description: 'Where the document is.' })),
    base_url: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'The address of the API, instead of its `servers`.' }),
    ),
    operations: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        maxItems: 10_000,
        description: 'Which ones: operation ids, or as in `GET /pets/{id}`. Left out: all.',
      }),
    ),
    auth: Type.Optional(
      Type.Unsafe<GivenAuth>({
        ...withoutDefault(Auth),
        description: 'For every operation, instead of what the document says.',
      }),
    ),
    dry_run: Type.Boolean({ default: false, description: 'Only says what there is and what would happen.' }),
  },
  {
    additionalProperties: false,
    title: 'ApiToolImport',
    examples: [{ url: 'https://api.example.com/openapi.json', operations: ['GET /weather/{city}'] }],
  },
)
export type ImportBody = Static<typeof ImportBody>

const Operation = Type.Object(
  {
    operation: Type.String({ examples: ['GET /weather/{city}'] }),
    operation_id: Nullable(Type.String()),
    name: Type.String({ description: 'Of the tool that it is or would become.' }),
    description: Type.String(),
    tool_id: Nullable(Type.String({ description: 'The tool that it is already.' })),
    auth: Type.String({ description: 'The type of its authentication.' }),
    notes: Type.Array(Type.String(), { description: 'What could not be taken over exactly.' }),
  },
  { title: 'ApiOperation' },
)

export const importResult = (tool: ReturnType<typeof Type.Unsafe<object>>) =>
  Type.Object(
    {
      created: Type.Array(tool),
      updated: Type.Array(tool),
      skipped: Type.Array(Type.Object({ operation: Type.String(), reason: Type.String() })),
      operations: Type.Array(Operation, { description: 'Everything that was chosen and can be a tool.' }),
      secrets_needed: Type.Array(
        Type.Object({
          auth: Type.String(),
          secret: Type.String({ examples: ['auth.token'] }),
          tool_ids: Type.Array(Type.String()),
        }),
        { description: 'What must still be set, with PUT, before the tools can be called.' },
      ),
    },
    { title: 'ApiToolImportResult' },
  )
