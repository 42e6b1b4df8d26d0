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
      description: 'Text with `{{name}}` placeholders.',
    }),
    variables: Derived(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 200,
        description: 'The placeholder names. Default: those in the template.',
      }),
    ),
    type: Choice(['system', 'user'], {
      default: 'system',
      description: 'Whether it is a system prompt or a message of a user.',
    }),
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
      description: 'The values of the placeholders, by name.',
    }),
  },
  {
    additionalProperties: false,
    title: 'RenderPromptTemplate',
    examples: [{ variables: { persona: 'a patient teacher' } }],
  },
)

export const Rendered = Type.Object(
  { text: Type.String() },
  { title: 'RenderedPromptTemplate', examples: [{ text: 'Answer as a patient teacher.' }] },
)
