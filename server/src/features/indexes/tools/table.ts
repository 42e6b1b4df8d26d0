import type { CreateTableBuilder, Kysely } from 'kysely'

type Table = CreateTableBuilder<string, string>

/** Creates the table of a kind of tools: the columns that both kinds have, and those of this kind. */
export async function createToolTable(db: Kysely<unknown>, name: string, more: (table: Table) => Table): Promise<void> {
  const columns = (db.schema.createTable(name) as Table)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('embedding_model', 'text', (column) => column.notNull())
    .addColumn('resolved_embedding_id', 'text', (column) => column.notNull())
    .addColumn('chunk_size', 'integer', (column) => column.notNull())
    .addColumn('chunk_overlap', 'integer', (column) => column.notNull())
    .addColumn('top_k', 'integer', (column) => column.notNull())
    .addColumn('search_mode', 'text', (column) => column.notNull())
    .addColumn('score_threshold', 'double precision')
    .addColumn('filters', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
  await more(columns).execute()
  await db.schema.createIndex(`${name}_list`).on(name).columns(['workspace_id', 'created_at', 'id']).execute()
}
