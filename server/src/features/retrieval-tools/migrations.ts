import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const retrievalToolMigration: DatedMigration = {
  name: '2026-11-15-47-retrieval-tools',
  async up(db) {
    await db.schema
      .createTable('retrieval_tool')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('knowledge_source_ids', 'text', (column) => column.notNull())
      .addColumn('embedding_model', 'text', (column) => column.notNull())
      .addColumn('resolved_embedding_id', 'text', (column) => column.notNull())
      .addColumn('chunk_size', 'integer', (column) => column.notNull())
      .addColumn('chunk_overlap', 'integer', (column) => column.notNull())
      .addColumn('top_k', 'integer', (column) => column.notNull())
      .addColumn('search_mode', 'text', (column) => column.notNull())
      .addColumn('score_threshold', 'double precision')
      .addColumn('weights', 'text', (column) => column.notNull())
      .addColumn('rerank', 'text', (column) => column.notNull())
      .addColumn('resolved_rerank_id', 'text')
      .addColumn('filters', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('retrieval_tool_list')
      .on('retrieval_tool')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute()
  },
}
