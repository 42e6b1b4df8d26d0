import { type Static, Type } from 'typebox'
import { Choice, Description, identity, Name, Nullable, timestamps } from '../../kernel/schema.ts'
import { foundState, overrides, Query, SearchResultShape, searchModes, searchSettings } from '../indexes/schema.ts'

const ToolDescription = {
  ...Description,
  description: 'What it finds. Models read this to decide when to use the tool.',
}

export const RagTool = Type.Object(
  {
    ...identity('rag'),
    name: Name,
    description: ToolDescription,
    knowledge_source_id: Type.String({ minLength: 1, maxLength: 200, description: 'The source to search.' }),
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

const weight = (description: string) => Type.Number({ minimum: 0, maximum: 1_000_000, description })

export const RetrievalTool = Type.Object(
  {
    ...identity('ret'),
    name: Name,
    description: ToolDescription,
    knowledge_source_ids: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'The sources to search.',
    }),
    ...searchSettings,
    weights: Nullable(
      Type.Object(
        { vector: weight('For similar meaning.'), keyword: weight('For the same words.') },
        {
          additionalProperties: false,
          description:
            'The weights of vector and keyword scores in a hybrid search. Default: the weights that performed best in our measurements.',
        },
      ),
    ),
    rerank: Type.String({
      minLength: 1,
      maxLength: 200,
      default: 'none',
      description: '`none`, `mmr` (diverse passages), or a model of type `rerank`.',
    }),
    ...timestamps,
  },
  { title: 'RetrievalTool' },
)
export type RetrievalTool = Static<typeof RetrievalTool>

export const SearchBody = Type.Object(
  {
    query: Query,
    ...overrides,
    search_mode: Type.Optional(Nullable(Choice(searchModes, { description: "Overrides the tool's `search_mode`." }))),
  },
  { additionalProperties: false, title: 'Search', examples: [{ query: 'parental leave', search_mode: 'keyword' }] },
)
export type SearchBody = Static<typeof SearchBody>

export const SearchAnswer = Type.Object(
  {
    query: Type.String(),
    results: Type.Array(SearchResultShape),
    ...foundState,
    took_ms: Type.Number({ description: 'The duration of the search in milliseconds.' }),
  },
  { title: 'SearchAnswer' },
)
