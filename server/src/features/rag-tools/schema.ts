import { type Static, Type } from 'typebox'
import { Description, identity, Name, Nullable, timestamps } from '../../kernel/schema.ts'
import { foundState, overrides, Query, SearchResultShape, searchSettings } from '../indexes/schema.ts'

export const RagTool = Type.Object(
  {
    ...identity('rag'),
    name: Name,
    description: Description,
    knowledge_source_id: Type.String({ minLength: 1, maxLength: 200 }),
    ...searchSettings,
    model_id: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "The model that writes the answer. Default: the workspace's default chat model.",
      }),
    ),
    ...timestamps,
  },
  { title: 'RagTool' },
)
export type RagTool = Static<typeof RagTool>

export const QueryBody = Type.Object(
  {
    query: Query,
    ...overrides,
    answer: Type.Boolean({ default: true, description: '`false`: only returns passages.' }),
  },
  { additionalProperties: false, title: 'RagQuery', examples: [{ query: 'How long is parental leave?', top_k: 5 }] },
)
export type QueryBody = Static<typeof QueryBody>

export const QueryResult = Type.Object(
  {
    query: Type.String(),
    results: Type.Array(SearchResultShape),
    answer: Nullable(Type.String({ description: 'Cites results as `[n]`.' })),
    citations: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'The n of `[n]` in the answer, starting at 1.' }),
          result: Type.Integer({ description: 'The position in `results`, starting at 0.' }),
          quote: Type.String({ description: 'A literal quote from the result.' }),
        },
        { title: 'RagCitation', examples: [{ index: 1, result: 0 }] },
      ),
    ),
    ...foundState,
  },
  { title: 'RagQueryResult', examples: [{ answer: 'Delivery takes three to five working days [1].' }] },
)
