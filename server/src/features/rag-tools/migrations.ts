import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { createToolTable } from '../indexes/tools/table.ts'

export const ragToolMigration: DatedMigration = {
  name: '2026-11-17-10-rag-tools',
  up: (db) =>
    createToolTable(db, 'rag_tool', (table) =>
      table
        .addColumn('knowledge_source_id', 'text', (column) => column.notNull())
        .addColumn('model_id', 'text')
        .addColumn('resolved_model_id', 'text'),
    ),
}
