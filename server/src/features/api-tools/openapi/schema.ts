import { type Static, Type } from 'typebox'
import { Nullable } from '../../../kernel/schema.ts'
import { Auth, type AuthInput } from '../schema.ts'

const withoutDefault = ({ default: _, ...schema }: object & { default?: unknown }) => schema

/** Limits the operations of one import. */
export const maxOperations = 5000

export const ImportBody = Type.Object(
  {
    spec: Type.Optional(
      Type.Unsafe<Record<string, unknown> | string>({
        type: ['object', 'string'],
        description: 'An OpenAPI 3.x or Swagger 2.0 document: an object, or its JSON or YAML text.',
      }),
    ),
    documents: Type.Optional(
      Type.Unsafe<Record<string, Record<string, unknown> | string>>({
        type: 'object',
        additionalProperties: { type: ['object', 'array', 'string'], items: {} },
        maxProperties: 1000,
        description:
          'Other documents that the first refers to (`$ref: "schemas/pet.yaml"`), by path relative to it or by URL. Without `spec` and `url`, the one that is an OpenAPI document is imported.',
      }),
    ),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 4000, description: 'The URL of the document.' })),
    base_url: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'The base URL of the API, instead of its `servers`.' }),
    ),
    operations: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        maxItems: maxOperations,
        description: `Operation ids, or as in \`GET /pets/{id}\`. At most ${maxOperations}. Default: all.`,
      }),
    ),
    auth: Type.Optional(
      Type.Unsafe<AuthInput>({
        ...withoutDefault(Auth),
        description: 'For all operations, instead of the document’s.',
      }),
    ),
    requires_approval: Type.Optional(
      Type.Boolean({
        description:
          'Whether a person must approve each call. Default: for operations that write (all but GET, HEAD and OPTIONS); tools of an earlier import keep their setting.',
      }),
    ),
    dry_run: Type.Boolean({ default: false, description: 'Only returns what would be imported.' }),
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
    name: Type.String({ description: 'The name of the tool.' }),
    description: Type.String(),
    tool_id: Nullable(Type.String({ description: 'The existing tool.' })),
    auth: Type.String({ description: 'The type of its authentication.' }),
    requires_approval: Type.Boolean({ description: 'Whether a person must approve each call.' }),
    notes: Type.Array(Type.String(), { description: 'The parts of the operation that could not be imported exactly.' }),
  },
  { title: 'ApiOperation' },
)

export const importResult = (tool: ReturnType<typeof Type.Unsafe<object>>) =>
  Type.Object(
    {
      created: Type.Array(tool),
      updated: Type.Array(tool),
      skipped: Type.Array(Type.Object({ operation: Type.String(), reason: Type.String() })),
      operations: Type.Array(Operation, { description: 'All chosen operations that can become tools.' }),
      secrets_needed: Type.Array(
        Type.Object({
          auth: Type.String(),
          secret: Type.String({ examples: ['auth.token'] }),
          tool_ids: Type.Array(Type.String()),
        }),
        { description: 'Secrets that must be set with PUT before the tools can be called.' },
      ),
    },
    { title: 'ApiToolImportResult' },
  )
