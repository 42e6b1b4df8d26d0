import type { Cell } from '@parley/tables'
import { type Static, Type } from 'typebox'
import { Choice, Description, identity, Name, Nullable, timestamps } from '../../kernel/schema.ts'
import { foundState, overrides, Query, SearchResultShape, searchModes, searchSettings } from '../indexes/schema.ts'

const ToolDescription = {
  ...Description,
  description: 'A description of what the tool finds. Models read this to decide when to use it.',
}

const Tables = Type.Boolean({
  default: false,
  description:
    'Agents can also find the tables of the documents (`find_tables`) and query them with SQL (`query_table`).',
})

export const RagTool = Type.Object(
  {
    ...identity('rag'),
    name: Name,
    description: ToolDescription,
    knowledge_source_id: Type.String({ minLength: 1, maxLength: 200, description: 'The source to search.' }),
    ...searchSettings,
    tables: Tables,
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
    tables: Tables,
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

export const TableQueryBody = Type.Object(
  { sql: Type.String({ minLength: 1, maxLength: 20_000, description: 'One SELECT statement in the SQL of SQLite.' }) },
  {
    additionalProperties: false,
    title: 'TableQuery',
    examples: [{ sql: 'SELECT product, units_sold FROM sales_2025_x7k2 ORDER BY units_sold DESC LIMIT 1' }],
  },
)

export const TableQueryResult = Type.Object(
  {
    columns: Type.Array(Type.String(), { description: 'The names of the columns of the result.' }),
    rows: Type.Array(Type.Array(Type.Unsafe<Cell>({ type: ['string', 'number', 'boolean', 'null'] })), {
      description: 'At most 1,000, each with its values in the order of `columns`.',
    }),
    truncated: Type.Boolean({ description: 'Whether there are more rows.' }),
    citations: Type.Array(
      Type.Object(
        {
          table_id: Type.String(),
          rows: Type.Array(Type.Integer(), { description: 'The numbers of the rows, from 1, in order.' }),
          document_id: Type.String(),
          start: Type.Integer({ description: 'Where the first of these rows starts in the text of the document.' }),
          end: Type.Integer({ description: 'Where the last of them ends.' }),
        },
        {
          title: 'TableCitation',
          examples: [{ table_id: 'tbl_01k9z8q4m6e3v7t2w5x8y1a4bc', rows: [1], start: 120, end: 140 }],
        },
      ),
      { description: 'For each table, the rows that the result rests on.' },
    ),
    took_ms: Type.Number({ description: 'The duration of the query in milliseconds.' }),
  },
  {
    title: 'TableQueryResult',
    examples: [{ columns: ['product', 'units_sold'], rows: [['Lamp', 1200]], truncated: false }],
  },
)
export type TableQueryResult = Static<typeof TableQueryResult>
