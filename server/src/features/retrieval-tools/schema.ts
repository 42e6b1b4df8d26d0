import { type Static, Type } from 'typebox'
import { Choice, Description, identity, Name, Nullable, timestamps } from '../../kernel/schema.ts'
import { Query, SearchResultShape, searchModes, searchSettings, wishes } from '../indexes/schema.ts'

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
          description: 'How much meaning and words count in a hybrid search. Left out: what measured best.',
        },
      ),
    ),
    rerank: Type.String({
      minLength: 1,
      maxLength: 200,
      default: 'none',
      description: '`none`, `mmr` (passages that say different things), or a model of type `rerank`.',
    }),
    ...timestamps,
  },
  { title: 'RetrievalTool' },
)
export type RetrievalTool = Static<typeof RetrievalTool>

export const SearchBody = Type.Object(
  {
    query: Query,
    ...wishes,
    search_mode: Type.Optional(Nullable(Choice(searchModes, { description: "Instead of the tool's own." }))),
  },
  { additionalProperties: false, title: 'Search', examples: [{ query: 'parental leave', search_mode: 'keyword' }] },
)
export type SearchBody = Static<typeof SearchBody>

export const SearchAnswer = Type.Object(
  {
    query: Type.String(),
    results: Type.Array(SearchResultShape),
    took_ms: Type.Number({ description: 'How long the search took, in milliseconds.' }),
  },
  { title: 'SearchAnswer' },
)
