import { Type } from 'typebox'
import { Choice, Nullable, Timestamp } from '../../kernel/schema.ts'
import { Match } from '../conversations/search/filters.ts'

const foundTypes = [
  'agent',
  'conversation',
  'knowledge_source',
  'document',
  'rag_tool',
  'retrieval_tool',
  'api_tool',
  'prompt_template',
  'model',
  'evaluation',
] as const

export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Words to find in names, titles and descriptions, and in the messages of conversations.',
      examples: ['invoice'],
    }),
    limit: Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Results of each type.' }),
  },
  { additionalProperties: false },
)

export const Found = Type.Object(
  {
    type: Choice(foundTypes),
    id: Type.String(),
    name: Type.String({ description: 'The title of a conversation.' }),
    description: Nullable(Type.String()),
    knowledge_source_id: Nullable(Type.String({ description: 'The source of a document. Null for everything else.' })),
    matches: Type.Array(Match, { description: 'The messages of a conversation that match.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'FoundResource',
    examples: [{ type: 'agent', id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc', name: 'Support', matches: [] }],
  },
)
