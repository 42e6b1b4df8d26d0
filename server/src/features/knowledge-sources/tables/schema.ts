import type { Cell, Column } from '@parley/tables'
import { columnTypes } from '@parley/tables'
import { type Static, Type } from 'typebox'
import { Choice, identity, timestamps } from '../../../kernel/schema.ts'
import { PageQuery } from '../../../kernel/store/list.ts'

const ColumnShape = Type.Object(
  {
    name: Type.String({ description: 'The header in the document.' }),
    sql_name: Type.String({ description: 'The name in SQL.' }),
    type: Choice(columnTypes, {
      description:
        'Found from the values. Amounts with currency, thousands separators, percent or parentheses are numbers; dates are `YYYY-MM-DD` in SQL.',
    }),
  },
  { title: 'TableColumn', examples: [{ name: 'Units sold', sql_name: 'units_sold', type: 'number' }] },
)

const Value = Type.Unsafe<Cell>({ type: ['string', 'number', 'boolean', 'null'] })
const TableRows = Type.Array(Type.Array(Value))

const example = {
  title: 'Sales 2025',
  sql_name: 'sales_2025_x7k2q9ab',
  columns: [
    { name: 'Product', sql_name: 'product', type: 'text' },
    { name: 'Units sold', sql_name: 'units_sold', type: 'number' },
  ],
  rows: [['Lamp', 1200]],
  row_count: 1,
  total_rows: [],
}

export const KnowledgeTable = Type.Object(
  {
    ...identity('tbl'),
    title: Type.String({ description: 'The caption, the heading above it, or the name of the document.' }),
    sql_name: Type.String({ description: 'The name in SQL, unique in the workspace.' }),
    knowledge_source_id: Type.String(),
    document_id: Type.String(),
    columns: Type.Unsafe<Column[]>(Type.Array(ColumnShape)),
    rows: Type.Unsafe<Cell[][]>({ ...TableRows, description: 'In a list, the first three rows.' }),
    row_count: Type.Integer(),
    total_rows: Type.Array(Type.Integer(), {
      description: 'The numbers of the rows that sum up others, such as "Total".',
    }),
    ...timestamps,
  },
  {
    title: 'KnowledgeTable',
    examples: [example],
  },
)
export type KnowledgeTable = Static<typeof KnowledgeTable>

/** A table with a page of its rows. */
export const TablePage = Type.Object(
  {
    ...KnowledgeTable.properties,
    document_name: Type.String(),
    matching_rows: Type.Integer({ description: 'How many rows contain `q`; without it, all of them.' }),
    positions: Type.Array(
      Type.Object(
        {
          row: Type.Integer({ description: 'The number of the row, from 1.' }),
          start: Type.Integer(),
          end: Type.Integer(),
        },
        { title: 'RowPosition', examples: [{ row: 1, start: 120, end: 140 }] },
      ),
      { description: 'For each of `rows`, its number and its characters in the text of the document.' },
    ),
  },
  { title: 'KnowledgeTablePage', examples: [example] },
)
export type TablePage = Static<typeof TablePage>

export const ByTable = Type.Object({ id: Type.String(), table: Type.String() })

export const RowsQuery = Type.Object(
  {
    ...PageQuery.properties,
    q: Type.Optional(Type.String({ maxLength: 200, description: 'Only rows that contain this text.' })),
  },
  { additionalProperties: false },
)
