import { type Static, Type } from 'typebox'
import type { RequiredOutput } from '../../kernel/agent/structured.ts'
import { turnKey } from '../../kernel/caller.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { JsonFormat } from '../../kernel/llm/model.ts'
import { Choice, Nullable } from '../../kernel/schema.ts'
import { SandboxError } from '../api-tools/sandbox.ts'

const JsonSchemaFormat = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'A description of the value, for the model.',
      examples: ['address'],
    }),
    description: Type.Optional(
      Nullable(Type.String({ maxLength: 10_000, description: 'More about the value, for the model.' })),
    ),
    schema: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'A JSON Schema (2020-12) of at most 100,000 characters. References stay within it (`#/$defs/…`, `#`).',
      examples: [{ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }],
    }),
    strict: Type.Optional(
      Nullable(Type.Boolean({ description: 'Passed on to providers that enforce schemas themselves.' })),
    ),
  },
  { additionalProperties: false },
)

export const ResponseFormat = Type.Object(
  {
    type: Choice(['text', 'json_schema'], { description: 'Text, or JSON that follows a schema.' }),
    json_schema: Type.Optional({ ...JsonSchemaFormat, description: 'Required with `type: "json_schema"`.' }),
  },
  {
    additionalProperties: false,
    description:
      'The form of replies: text, or JSON that follows a schema. A JSON reply has the parsed value in `output`. A reply that is still invalid after one correction fails with `output_invalid`.',
  },
)
export type ResponseFormat = Static<typeof ResponseFormat>

type Asker = Pick<Caller, 'workspace' | 'userId' | 'token'>

const maxSchemaLength = 100_000
const maxSubschemas = 3000
const maxDepth = 60

/** Rejects a schema that cannot be used, or that would take too long. */
export async function checkResponseFormat(
  ctx: Context,
  who: Asker,
  format: ResponseFormat | null | undefined,
  path = 'response_format',
): Promise<void> {
  if (!format) return
  if (format.type === 'text') {
    if (format.json_schema) invalid(`${path}.json_schema`, 'cannot be combined with type "text"')
    return
  }
  if (!format.json_schema) return invalid(`${path}.json_schema`, 'is required with type "json_schema"')
  await checkOutputSchema(ctx, who, format.json_schema.schema, `${path}.json_schema.schema`)
}

export async function checkOutputSchema(
  ctx: Context,
  who: Asker,
  schema: Record<string, unknown>,
  path: string,
): Promise<void> {
  const size = measure(schema)
  if (size.depth > maxDepth) invalid(path, `is nested deeper than ${maxDepth} levels`)
  if (size.values > maxSubschemas) invalid(path, `has more than ${maxSubschemas} values`)
  const text = JSON.stringify(schema)
  if (text.length > maxSchemaLength) invalid(path, `has more than ${maxSchemaLength} characters`)
  try {
    const problem = await ctx.state['api-tools'].sandbox.checkOutputSchema(text, { turn: turnKey(who) })
    if (problem !== null) invalid(path, problem)
  } catch (error) {
    if (error instanceof SandboxError) invalid(path, `cannot be used: to check it, ${error.message}`)
    throw error
  }
}

/** The number of objects and lists in a value, and how deep they are nested. */
function measure(value: unknown): { values: number; depth: number } {
  let values = 0
  let depth = 0
  for (let level: unknown[] = [value]; level.length > 0; depth++) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    values += level.filter((each) => typeof each === 'object' && each !== null).length
  }
  return { values, depth }
}

/** The output that a reply must have, null for text. */
export function requiredOutput(
  ctx: Context,
  who: Asker,
  format: ResponseFormat | null | undefined,
): RequiredOutput | null {
  if (format?.type !== 'json_schema' || !format.json_schema) return null
  const { name, description, schema, strict } = format.json_schema
  return toRequiredOutput(ctx, who, {
    name,
    schema,
    ...(description && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  })
}

export function toRequiredOutput(ctx: Context, who: Asker, format: JsonFormat): RequiredOutput {
  const schema = JSON.stringify(format.schema)
  return {
    format,
    async check(text, signal) {
      try {
        return await ctx.state['api-tools'].sandbox.checkOutput(schema, text, { turn: turnKey(who), signal })
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error
        return { faults: [{ path: 'output', message: `cannot be checked: ${error.message}` }], json: '' }
      }
    },
  }
}
