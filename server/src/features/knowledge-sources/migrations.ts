import { sql } from 'kysely'
import { type Db, isPostgres } from '../../kernel/store/database.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

const counts = [
  'documents_total',
  'documents_added',
  'documents_updated',
  'documents_removed',
  'documents_unchanged',
  'documents_failed',
  'chunks_embedded',
  'chunks_reused',
  'chunks_removed',
]

export const knowledgeSourceMigration: DatedMigration = {
  name: '2026-11-15-40-knowledge-sources',
  async up(db) {
    await db.schema
      .createTable('knowledge_source')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('configuration', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('status_message', 'text')
      .addColumn('last_sync', 'text')
      .addColumn('sync_again', 'integer', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('knowledge_source_list')
      .on('knowledge_source')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute()
  },
}

export const knowledgeDocumentMigration: DatedMigration = {
  name: '2026-11-15-41-knowledge-documents',
  async up(db) {
    await db.schema
      .createTable('knowledge_document')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('knowledge_source_id', 'text', (column) =>
        column.notNull().references('knowledge_source.id').onDelete('cascade'),
      )
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('media_type', 'text')
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('sha256', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('pages', 'integer')
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('given_metadata', 'text', (column) => column.notNull())
      .addColumn('stamp', 'text')
      .addColumn('version', 'text')
      .addColumn('indexed_version', 'text')
      .addColumn('sync_id', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addUniqueConstraint('knowledge_document_key', ['knowledge_source_id', 'key'])
      .execute()
    await db.schema
      .createIndex('knowledge_document_list')
      .on('knowledge_document')
      .columns(['workspace_id', 'knowledge_source_id', 'created_at', 'id'])
      .execute()
    await db.schema
      .createIndex('knowledge_document_walk')
      .on('knowledge_document')
      .columns(['knowledge_source_id', 'id'])
      .execute()
    await db.schema
      .createTable('knowledge_text')
      .addColumn('document_id', 'text', (column) =>
        column.primaryKey().references('knowledge_document.id').onDelete('cascade'),
      )
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('body', isPostgres(db as Db) ? 'bytea' : 'blob', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('knowledge_text_workspace').on('knowledge_text').column('workspace_id').execute()
  },
}

/** When each sync last made progress. */
export const syncUpdatedMigration: DatedMigration = {
  name: '2026-11-16-20-knowledge-sync-updated',
  async up(db) {
    await db.schema.alterTable('knowledge_sync').addColumn('updated_at', 'text').execute()
    await sql`update knowledge_sync set updated_at = coalesce(finished_at, started_at)`.execute(db)
  },
}

/** Which documents are being read, and how far. */
export const syncReadingMigration: DatedMigration = {
  name: '2026-11-17-20-knowledge-sync-reading',
  async up(db) {
    await db.schema
      .alterTable('knowledge_sync')
      .addColumn('reading', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
  },
}

export const knowledgeSyncMigration: DatedMigration = {
  name: '2026-11-15-42-knowledge-syncs',
  async up(db) {
    let table = db.schema
      .createTable('knowledge_sync')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('knowledge_source_id', 'text', (column) =>
        column.notNull().references('knowledge_source.id').onDelete('cascade'),
      )
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('asked_for', 'integer', (column) => column.notNull())
      .addColumn('job_id', 'text')
      .addColumn('started_at', 'text', (column) => column.notNull())
      .addColumn('finished_at', 'text')
      .addColumn('error', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
    for (const name of counts) table = table.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
    await table.execute()
    await db.schema
      .createIndex('knowledge_sync_list')
      .on('knowledge_sync')
      .columns(['workspace_id', 'knowledge_source_id', 'started_at', 'id'])
      .execute()
  },
}

/** Attachments of mails are documents that belong to the document of their mail. */
export const knowledgeAttachmentMigration: DatedMigration = {
  name: '2026-11-17-85-knowledge-attachments',
  async up(db) {
    await db.schema.alterTable('knowledge_document').addColumn('parent_id', 'text').execute()
    await sql`create index knowledge_document_parent on knowledge_document (parent_id) where parent_id is not null`.execute(
      db,
    )
  },
}

/** Who may see sources and documents. Documents are found by a short key of their access, which an index can hold. */
export const knowledgeAccessMigration: DatedMigration = {
  name: '2026-11-17-52-knowledge-access',
  async up(db) {
    const json = (table: string, name: string, empty: string) =>
      db.schema
        .alterTable(table)
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(empty))
        .execute()
    await json('knowledge_source', 'access', 'null')
    await json('knowledge_source', 'access_rules', '[]')
    await json('knowledge_document', 'access', 'null')
    await json('knowledge_document', 'given_access', 'null')
    await json('knowledge_document', 'access_key', '')
    await db.schema
      .createIndex('knowledge_document_access')
      .on('knowledge_document')
      .columns(['workspace_id', 'knowledge_source_id', 'access_key'])
      .execute()
  },
}
