import { type Static, Type } from 'typebox'
import { Choice, Derived, Description, identity, Name, ReadOnly, timestamps } from '../../kernel/schema.ts'

export const PromptTemplate = Type.Object(
  {
    ...identity('tpl'),
    name: Name,
    description: Description,
    template: Type.String({
      minLength: 1,
      maxLength: 200_000,
      description: 'Text with `{{name}}` where a value goes.',
    }),
    variables: Derived(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 200,
        description: 'The names in the template. Left out, they are read from it.',
      }),
    ),
    type: Choice(['system', 'user'], { default: 'system' }),
    version: ReadOnly(Type.Integer()),
    ...timestamps,
  },
  { title: 'PromptTemplate' },
)
export type PromptTemplate = Static<typeof PromptTemplate>

export const RenderBody = Type.Object(
  {
    variables: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      default: {},
    }),
  },
  {
    additionalProperties: false,
    title: 'RenderPromptTemplate',
    examples: [{ variables: { persona: 'a patient teacher' } }],
  },
)

export const Rendered = Type.Object({ text: Type.String() }, { title: 'RenderedPromptTemplate' })
