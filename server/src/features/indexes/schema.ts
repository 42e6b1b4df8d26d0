import type { Filters } from '@parley/search'
import { type Static, Type } from 'typebox'
import { Choice, Nullable, ReadOnly } from '../../kernel/schema.ts'
import { IndexState } from '../knowledge-sources/schema.ts'

const scalar = { type: ['string', 'number', 'boolean', 'null'] }
const bound = { type: ['string', 'number'] }

/** Conditions on the metadata of documents, and on `source`, `page` and `document_id`. */
const FiltersShape = Type.Unsafe<Filters>({
  type: 'object',
  maxProperties: 50,
  additionalProperties: {
    anyOf: [
      scalar,
      { type: 'array', items: scalar, maxItems: 1000 },
      {
        type: 'object',
        properties: { gte: bound, lte: bound, ne: scalar },
        additionalProperties: false,
        minProperties: 1,
      },
    ],
  },
  default: {},
  description:
    'Finds only passages of documents that meet every condition: `{field: value | [any of] | {gte?, lte?, ne?}}`. Fields are those of the document metadata, and `source` and `page`.',
  examples: [{ department: ['sales', 'support'], year: { gte: 2024 } }],
})

export const searchModes = ['hybrid', 'vector', 'keyword'] as const

const TopK = Type.Integer({
  minimum: 1,
  maximum: 50,
  default: 5,
  description: 'The maximum number of passages to return.',
})

export const Query = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  description: 'The question or search terms.',
})

/** Fields of a request that override or extend the settings of its tool. */
export const overrides = {
  top_k: Type.Optional(Nullable({ ...TopK, default: undefined, description: "Overrides the tool's `top_k`." })),
  filters: Type.Optional(
    Nullable({ ...FiltersShape, default: undefined, description: "Applied in addition to the tool's filters." }),
  ),
}

/** Fields of both RAG and retrieval tools. */
export const searchSettings = {
  embedding_model: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "The embedding model: its id, its provider's model name or its own name, if only one embedding model has it. Default: the workspace's default embedding model, initially the built-in one.",
    }),
  ),
  chunk_size: Type.Integer({
    minimum: 50,
    maximum: 4000,
    default: 400,
    description: 'The size of a passage in tokens.',
  }),
  chunk_overlap: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 3999,
      description:
        'The number of tokens that a passage shares with the one before; less than `chunk_size`. Default: 60, or 15 % of a smaller `chunk_size`.',
    }),
  ),
  top_k: TopK,
  search_mode: Choice(searchModes, {
    default: 'hybrid',
    description: 'By the same words, by similar meaning (vectors), or by both.',
  }),
  score_threshold: Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Leaves out passages with a lower score.' }),
  ),
  filters: FiltersShape,
  status: ReadOnly(
    Choice(['pending', 'indexing', 'ready', 'error'], {
      description: '`ready`: everything is searchable. Until then, searches use the previous index.',
    }),
  ),
  status_message: ReadOnly(
    Nullable(Type.String({ description: 'The reason if something failed or is still missing.' })),
  ),
  index: IndexState,
}

export const computed = ['status', 'status_message', 'index'] as const
/** Fields that lists cannot be sorted or filtered by. */
export const unlisted = computed.filter((name) => name !== 'status')

/** The state of the index that results come from. */
export const foundState = {
  index: Type.Object(
    {
      status: Choice(['pending', 'indexing', 'ready', 'error'], { description: '`ready`: everything is searchable.' }),
    },
    { title: 'SearchedIndex' },
  ),
  degraded: Type.Array(
    Type.Object(
      {
        code: Choice(['index_not_ready', 'index_loading', 'embedding_pending', 'embedding_failed']),
        message: Type.String(),
      },
      { title: 'SearchDegradation' },
    ),
    {
      description:
        'Why the results may be worse than usual: the index is not ready, only keywords were used because a large index is being loaded after a start, or static vectors were used because the embedding model has not seen all passages or failed for the query. Empty if nothing is missing.',
    },
  ),
}

const ScorePart = (what: string) =>
  Nullable(
    Type.Number({
      description: `The match ${what}, 0 to 1; null if this part of the search did not find the passage or was not used.`,
    }),
  )

export const SearchResultShape = Type.Object(
  {
    content: Type.String({ description: 'Exactly the characters `start..end` of the parsed document.' }),
    score: Type.Number({ description: 'The probability that the passage answers the query, 0 to 1.' }),
    metadata: Type.Object(
      {
        source: Type.String({ description: 'The name of the document, the title of a text or the URL of a page.' }),
        page: Type.Integer({ description: '1 if the format has no pages.' }),
        document_id: Type.String(),
        chunk_id: Type.String(),
        start: Type.Integer(),
        end: Type.Integer(),
      },
      { additionalProperties: true, description: "Also contains the document's own metadata." },
    ),
    why: Type.Object(
      {
        keyword: ScorePart('by keywords: how much of the query its words cover'),
        vector: ScorePart('by vectors: the cosine'),
        headings: Type.Array(Type.String(), { description: 'The headings above the passage, outermost first.' }),
        terms: Type.Array(Type.String(), {
          description: 'The words of the query as they appear in the passage or its headings.',
        }),
      },
      {
        title: 'SearchReason',
        examples: [{ keyword: 0.8, vector: 0.92, headings: ['Orders'], terms: ['delivery'] }],
        description: 'Why the passage was found.',
      },
    ),
  },
  { title: 'SearchResult', examples: [{ score: 0.87, metadata: { page: 2, start: 1024, end: 1066 } }] },
)
export type SearchResultShape = Static<typeof SearchResultShape>
