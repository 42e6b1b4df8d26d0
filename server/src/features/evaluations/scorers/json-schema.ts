import { Type } from 'typebox'
import type { Caller, Context } from '../../../kernel/context.ts'
import { checkOutputSchema, toRequiredOutput } from '../../agents/response-format.ts'
import type { Scorer } from '../schema.ts'
import { jsonIn } from './json.ts'
import { passOrFail, quoted, scorerKind } from './scorer.ts'

export const jsonSchema = scorerKind({
  config: Type.Object(
    {
      schema: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'The JSON Schema that the answer must follow.',
      }),
    },
    { additionalProperties: false },
  ),
  defaultThreshold: () => 1,
  async score({ schema }, { output }, { ctx, who, signal }) {
    const actual = jsonIn(output)
    if (actual === undefined) return { score: 0, reason: `There is no JSON in the answer ${quoted(output)}.` }
    const { faults } = await toRequiredOutput(ctx, who, { name: 'answer', schema }).check(
      JSON.stringify(actual.value),
      signal,
    )
    const [first] = faults
    return passOrFail(!first, `The JSON does not follow the schema: ${first?.path} ${first?.message}.`)
  },
})

/** Rejects schemas that cannot be used. Outside of transactions, because it may take long. */
export async function checkSchemas(ctx: Context, who: Caller, scorers: Scorer[] = []): Promise<void> {
  for (const [index, { type, config }] of scorers.entries()) {
    const { schema } = (config ?? {}) as { schema?: unknown }
    if (type === 'json_schema' && typeof schema === 'object' && schema !== null)
      await checkOutputSchema(ctx, who, schema as Record<string, unknown>, `scorers[${index}].config.schema`)
  }
}
