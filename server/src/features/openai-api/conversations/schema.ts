import { type Static, Type } from 'typebox'
import { Choice, Nullable } from '../../../kernel/schema.ts'
import { Metadata } from '../responses/schema.ts'

const maxItems = 20

const Items = Type.Unsafe<Record<string, unknown>[]>({
  type: 'array',
  items: { type: 'object', additionalProperties: true },
  maxItems,
  description: `At most ${maxItems}, in the form of the input of a response.`,
  examples: [[{ type: 'message', role: 'user', content: 'Hello' }]],
})

const labels = { ...Metadata, description: 'Labels of the conversation.' }

export const CreateConversation = Type.Object(
  { items: Type.Optional(Nullable(Items)), metadata: Type.Optional(Nullable(labels)) },
  { title: 'CreateOpenAiConversation', additionalProperties: false, examples: [{ metadata: { topic: 'prices' } }] },
)

export const UpdateConversation = Type.Object(
  { metadata: labels },
  { title: 'UpdateOpenAiConversation', additionalProperties: false, examples: [{ metadata: { topic: 'prices' } }] },
)

export const AddItems = Type.Object(
  { items: Items },
  {
    title: 'AddConversationItems',
    additionalProperties: false,
    examples: [{ items: [{ type: 'message', role: 'user', content: 'Hello' }] }],
  },
)

export const OpenAiConversation = Type.Object(
  {
    id: Type.String({ examples: ['cnv_01k9z8q4m6e3v7t2w5x8y1a4bc'] }),
    object: Choice(['conversation']),
    created_at: Type.Integer({ description: 'Unix seconds.' }),
    metadata: labels,
  },
  { title: 'OpenAiConversation' },
)
export type OpenAiConversation = Static<typeof OpenAiConversation>

export const DeletedConversation = Type.Object(
  { id: Type.String(), object: Choice(['conversation.deleted']), deleted: Type.Boolean() },
  { title: 'OpenAiDeletedConversation' },
)

export const ByItem = Type.Object({ id: Type.String(), item: Type.String() })

/** OpenAI's clients send it; nothing is left out here that it could ask for. */
export const Include = Type.Optional(
  Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    items: { type: 'string' },
    description: 'No effect: items are always complete.',
  }),
)
