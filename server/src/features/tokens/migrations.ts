import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const tokenMigration: DatedMigration = {
  name: '2026-11-17-03-tokens',
  async up(db) {
    await db.schema
      .createTable('token')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('scopes', 'text', (column) => column.notNull().defaultTo('[]'))
      .addColumn('groups', 'text', (column) => column.notNull().defaultTo('[]'))
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('rate_limit', 'integer')
      .addColumn('expires_at', 'text')
      .addColumn('last_used_at', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('token_list').on('token').columns(['workspace_id', 'created_at', 'id']).execute()
  },
}

/** Tokens of clients that people have connected by OAuth. */
export const clientTokenMigration: DatedMigration = {
  name: '2026-11-18-15-client-tokens',
  async up(db) {
    await db.schema.alterTable('token').addColumn('client', 'text').execute()
    await db.schema
      .alterTable('token')
      .addColumn('parent_id', 'text', (column) => column.references('token.id').onDelete('cascade'))
      .execute()
    await db.schema.createIndex('token_parent').on('token').columns(['parent_id']).execute()
  },
}
