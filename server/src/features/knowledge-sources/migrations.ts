import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../kernel/store/database.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const knowledgeMigration: DatedMigration = {
  name: '2026-11-17-08-knowledge',
  async up(db) {
    await createSources(db)
    await createDocuments(db)
    await createTexts(db)
    await createGivenTexts(db)
    await createTables(db)
    await createSyncs(db)
    await createDeletions(db)
  },
}

/** Rows of tables that sum up others. The tables that there are get theirs with the next sync. */
export const totalRowsMigration: DatedMigration = {
  name: '2026-11-18-60-table-totals',
  async up(db) {
    await db.schema
      .alterTable('knowledge_table')
      .addColumn('total_rows', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
  },
}

/** No two tables of a workspace share a name in SQL. A name that several tables have is kept by the first of them. */
export const tableNamesMigration: DatedMigration = {
  name: '2026-11-19-60-table-names',
  async up(db) {
    await sql`update knowledge_table set sql_name = sql_name || '_' || substr(id, 5) where exists (
      select 1 from knowledge_table as earlier where earlier.workspace_id = knowledge_table.workspace_id
      and earlier.sql_name = knowledge_table.sql_name and earlier.id < knowledge_table.id)`.execute(db)
    await db.schema.dropIndex('knowledge_table_name').execute()
    await db.schema
      .createIndex('knowledge_table_name')
      .unique()
      .on('knowledge_table')
      .columns(['workspace_id', 'sql_name'])
      .execute()
  },
}

async function createSources(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('access', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('access_rules', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('knowledge_source_list')
    .on('knowledge_source')
    .columns(['workspace_id', 'created_at', 'id'])
    .execute()
}

async function createDocuments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('knowledge_document')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('knowledge_source_id', 'text', (column) =>
      column.notNull().references('knowledge_source.id').onDelete('cascade'),
    )
    .addColumn('parent_id', 'text')
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('media_type', 'text')
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('pages', 'integer')
    .addColumn('pages_without_text', 'integer')
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('given_metadata', 'text', (column) => column.notNull())
    .addColumn('stamp', 'text')
    .addColumn('version', 'text')
    .addColumn('indexed_version', 'text')
    .addColumn('sync_id', 'text')
    .addColumn('access', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('given_access', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('access_key', 'text', (column) => column.notNull().defaultTo(''))
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
  // Documents are found by a short key of their access, which an index can hold.
  await db.schema
    .createIndex('knowledge_document_access')
    .on('knowledge_document')
    .columns(['workspace_id', 'knowledge_source_id', 'access_key'])
    .execute()
  // Attachments of mails are documents that belong to the document of their mail.
  await sql`create index knowledge_document_parent on knowledge_document (parent_id) where parent_id is not null`.execute(
    db,
  )
}

async function createTexts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('knowledge_text')
    .addColumn('document_id', 'text', (column) =>
      column.primaryKey().references('knowledge_document.id').onDelete('cascade'),
    )
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('body', isPostgres(db) ? 'bytea' : 'blob', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('knowledge_text_workspace').on('knowledge_text').column('workspace_id').execute()
}

/** The documents of `text` sources as requests gave them, for their configuration to show and syncs to read. */
async function createGivenTexts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('knowledge_given_text')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('knowledge_source_id', 'text', (column) =>
      column.notNull().references('knowledge_source.id').onDelete('cascade'),
    )
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_given_text_key', ['knowledge_source_id', 'position'])
    .execute()
}

/** The tables of documents. Their texts are apart, so that lists do not read them. */
async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('knowledge_table')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('knowledge_source_id', 'text', (column) =>
      column.notNull().references('knowledge_source.id').onDelete('cascade'),
    )
    .addColumn('document_id', 'text', (column) =>
      column.notNull().references('knowledge_document.id').onDelete('cascade'),
    )
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('sql_name', 'text', (column) => column.notNull())
    .addColumn('columns', 'text', (column) => column.notNull())
    .addColumn('rows', 'text', (column) => column.notNull())
    .addColumn('row_count', 'integer', (column) => column.notNull())
    .addColumn('page', 'integer', (column) => column.notNull())
    .addColumn('start', 'integer', (column) => column.notNull())
    .addColumn('end', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('knowledge_table_list')
    .on('knowledge_table')
    .columns(['workspace_id', 'knowledge_source_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('knowledge_table_name')
    .on('knowledge_table')
    .columns(['workspace_id', 'sql_name'])
    .execute()
  await db.schema.createIndex('knowledge_table_document').on('knowledge_table').column('document_id').execute()
  await db.schema
    .createTable('knowledge_table_text')
    .addColumn('table_id', 'text', (column) => column.primaryKey().references('knowledge_table.id').onDelete('cascade'))
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('body', isPostgres(db) ? 'bytea' : 'blob', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('knowledge_table_text_workspace')
    .on('knowledge_table_text')
    .column('workspace_id')
    .execute()
}

async function createSyncs(db: Kysely<unknown>): Promise<void> {
  await db.schema
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
    .addColumn('documents_total', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('documents_added', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('documents_updated', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('documents_removed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('documents_unchanged', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('documents_failed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('chunks_embedded', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('chunks_reused', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('chunks_removed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('updated_at', 'text')
    .addColumn('reading', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  await db.schema
    .createIndex('knowledge_sync_list')
    .on('knowledge_sync')
    .columns(['workspace_id', 'knowledge_source_id', 'started_at', 'id'])
    .execute()
}

/** Deleted documents whose files and passages may not all be removed yet. */
async function createDeletions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('knowledge_deletion')
    .addColumn('document_id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('knowledge_source_id', 'text', (column) =>
      column.notNull().references('knowledge_source.id').onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('knowledge_deletion_source')
    .on('knowledge_deletion')
    .columns(['knowledge_source_id', 'document_id'])
    .execute()
}
