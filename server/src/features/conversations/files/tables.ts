import type { Kysely } from 'kysely'

/** Uploaded files, and which messages they are attached to. A file that is attached cannot be deleted. */
export async function createFileTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('file')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('user_id', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('media_type', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('tokens', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('file_age').on('file').columns(['created_at']).execute()
  await db.schema.createIndex('file_workspace').on('file').columns(['workspace_id']).execute()
  await db.schema
    .createTable('message_file')
    .addColumn('message_id', 'text', (column) => column.notNull().references('message.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('file_id', 'text', (column) => column.notNull().references('file.id'))
    .addPrimaryKeyConstraint('message_file_key', ['message_id', 'position'])
    .execute()
  await db.schema.createIndex('message_file_file').on('message_file').columns(['file_id']).execute()
  await db.schema
    .createIndex('message_file_conversation')
    .on('message_file')
    .columns(['workspace_id', 'conversation_id'])
    .execute()
}
