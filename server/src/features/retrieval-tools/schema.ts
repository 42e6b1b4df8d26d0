import { type Static, Type } from 'typebox'
import { Choice, Description, identity, Name, Nullable, timestamps } from '../../kernel/schema.ts'
import { foundState, overrides, Query, SearchResultShape, searchModes, searchSettings } from '../indexes/schema.ts'

const weight = Type.Number({ minimum: 0, maximum: 1_000_000 })

export const RetrievalTool = Type.Object(
  {
    ...identity('ret'),
    name: Name,
    description: Description,
    knowledge_source_ids: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 }),
    ...searchSettings,
    weights: Nullable(
      Type.Object(
        { vector: weight, keyword: weight },
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
