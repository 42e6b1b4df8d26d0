import { type Static, Type } from 'typebox'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { Choice, Nullable } from '../../../kernel/schema.ts'
import {
  checkOutputSchema,
  type ResponseFormat,
  requiredOutput,
  toRequiredOutput,
} from '../../agents/response-format.ts'
import type { PreparedRun } from '../../runs/setup.ts'

export const TextFormat = Type.Object(
  {
    type: Choice(['text', 'json_schema', 'json_object']),
    name: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['address'] })),
    description: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
    schema: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'A JSON Schema. Required with `type: "json_schema"`, as is `name`.',
      }),
    ),
    strict: Type.Optional(Nullable(Type.Boolean())),
  },
  {
    title: 'ResponseTextFormat',
    additionalProperties: false,
    description: "Instead of the agent's `response_format`.",
  },
)
type TextFormat = Static<typeof TextFormat>

/** The format as messages have it, null for that of the agent. Rejects a schema that cannot be used. */
export async function messageFormat(
  ctx: Context,
  who: Caller,
  format: TextFormat | null | undefined,
): Promise<ResponseFormat | null> {
  if (!format) return null
  const { type, name, schema, description, strict } = format
  if (type !== 'json_schema') {
    if (schema || name) invalid('text.format', `has a schema, which goes with the type "json_schema"`)
    return { type: 'text' }
  }
  if (!name) return invalid('text.format.name', 'is required with type "json_schema"')
  if (!schema) return invalid('text.format.schema', 'is required with type "json_schema"')
  await checkOutputSchema(ctx, who, schema, 'text.format.schema')
  const more = { ...(description && { description }), ...(typeof strict === 'boolean' && { strict }) }
  return { type: 'json_schema', json_schema: { name, schema, ...more } }
}

/** The required output of the run; left out, the agent's own format applies. */
export function outputFor(
  ctx: Context,
  who: Caller,
  asked: TextFormat | null | undefined,
  format: ResponseFormat | null,
): Pick<PreparedRun, 'output'> {
  if (asked?.type === 'json_object') {
    return { output: toRequiredOutput(ctx, who, { name: 'object', schema: { type: 'object' }, isAnyObject: true }) }
  }
  return format ? { output: requiredOutput(ctx, who, format) } : {}
}

/** Maps the output back to the `text.format` of a response. */
export function shownFormat({ output }: Pick<PreparedRun, 'output'>): Record<string, unknown> {
  if (!output) return { type: 'text' }
  const { name, schema, description = null, strict = null, isAnyObject } = output.format
  return isAnyObject ? { type: 'json_object' } : { type: 'json_schema', name, schema, description, strict }
}
