import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { createToolTable } from '../indexes/tools/table.ts'

export const retrievalToolMigration: DatedMigration = {
  name: '2026-11-17-11-retrieval-tools',
  up: (db) =>
    createToolTable(db, 'retrieval_tool', (table) =>
      table
        .addColumn('knowledge_source_ids', 'text', (column) => column.notNull())
        .addColumn('weights', 'text', (column) => column.notNull())
        .addColumn('rerank', 'text', (column) => column.notNull())
        .addColumn('resolved_rerank_id', 'text'),
    ),
}
