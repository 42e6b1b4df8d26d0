import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const knowledgeToolMigration: DatedMigration = {
  name: '2026-11-17-10-knowledge-tools',
  async up(db) {
    await db.schema
      .createTable('knowledge_tool')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
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
      .addColumn('tables', 'boolean', (column) => column.notNull().defaultTo(false))
      // only of RAG tools
      .addColumn('knowledge_source_id', 'text')
      .addColumn('model_id', 'text')
      .addColumn('resolved_model_id', 'text')
      // only of retrieval tools
      .addColumn('knowledge_source_ids', 'text')
      .addColumn('weights', 'text')
      .addColumn('rerank', 'text')
      .addColumn('resolved_rerank_id', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('knowledge_tool_list')
      .on('knowledge_tool')
      .columns(['workspace_id', 'kind', 'created_at', 'id'])
      .execute()
  },
}
