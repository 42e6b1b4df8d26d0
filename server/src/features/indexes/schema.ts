import type { Filters } from '@parley/search'
import { type Static, Type } from 'typebox'
import { Choice, Nullable, ReadOnly, Timestamp } from '../../kernel/schema.ts'

const scalar = { type: ['string', 'number', 'boolean', 'null'] }
const bound = { type: ['string', 'number'] }

/** By field of a document's metadata, or `source`, `page`, `document_id`. */
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
    'Only passages of documents that meet every condition: `{field: value | [any of] | {gte?, lte?, ne?}}` over document metadata and `source`, `page`.',
  examples: [{ department: ['sales', 'support'], year: { gte: 2024 } }],
})

export const searchModes = ['hybrid', 'vector', 'keyword'] as const

const TopK = Type.Integer({
  minimum: 1,
  maximum: 50,
  default: 5,
  description: 'How many passages are found.',
})

export const Query = Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'What is asked.' })

/** What a request may want otherwise than its tool. */
export const wishes = {
  top_k: Type.Optional(Nullable({ ...TopK, default: undefined, description: "Instead of the tool's own." })),
  filters: Type.Optional(
    Nullable({ ...FiltersShape, default: undefined, description: "Beside the tool's own; both must hold." }),
  ),
}

/** What tools over knowledge have in common. */
export const searchSettings = {
  embedding_model: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "The embedding model: its id, or the provider's name of it. Left out: the workspace's default, at first the built-in one.",
    }),
  ),
  chunk_size: Type.Integer({ minimum: 50, maximum: 4000, default: 400, description: 'Of a passage, in tokens.' }),
  chunk_overlap: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 3999,
      description: 'Tokens that a passage repeats of the one before; less than `chunk_size`. Left out: 60, or 15 %.',
    }),
  ),
  top_k: TopK,
  search_mode: Choice(searchModes, { default: 'hybrid' }),
  score_threshold: Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Passages with a lower score are left out.' }),
  ),
  filters: FiltersShape,
  status: ReadOnly(
    Choice(['pending', 'indexing', 'ready', 'error'], {
      description: '`ready`: all of it is searchable. Until then what was there before serves.',
    }),
  ),
  status_message: ReadOnly(Nullable(Type.String({ description: 'What went wrong or is missing, in words.' }))),
  index: ReadOnly(
    Type.Object(
      {
        documents: Type.Integer(),
        chunks: Type.Integer(),
        refined: Type.Integer({ description: 'Chunks that the embedding model itself has seen.' }),
        updated_at: Timestamp,
      },
      { title: 'IndexState' },
    ),
  ),
}

export const computed = ['status', 'status_message', 'index'] as const
/** What of it cannot be sorted or filtered by. */
export const unlisted = computed.filter((name) => name !== 'status')

const Part = (what: string) =>
  Nullable(
    Type.Number({
      description: `How well it fits ${what}, 0 to 1; null where that side found nothing or was not asked.`,
    }),
  )

export const SearchResultShape = Type.Object(
  {
    content: Type.String({ description: 'Exactly the characters `start..end` of the parsed document.' }),
    score: Type.Number({ description: '0 to 1.' }),
    metadata: Type.Object(
      {
        source: Type.String({ description: "The document's name, the title of a text, the address of a page." }),
        page: Type.Integer({ description: '1 where the format has no pages.' }),
        document_id: Type.String(),
        chunk_id: Type.String(),
        start: Type.Integer(),
        end: Type.Integer(),
      },
      { additionalProperties: true, description: "And the document's own metadata." },
    ),
    why: Type.Object(
      {
        keyword: Part('by its words, relative to the best passage'),
        vector: Part('by its meaning: in a hybrid search relative to the best passage, else the cosine'),
        headings: Type.Array(Type.String(), { description: 'The headings above it, outermost first.' }),
        terms: Type.Array(Type.String(), {
          description: 'The words of the query as they are written in the passage or its headings.',
        }),
      },
      { title: 'SearchReason', description: 'What speaks for the passage.' },
    ),
  },
  { title: 'SearchResult' },
)
export type SearchResultShape = Static<typeof SearchResultShape>
