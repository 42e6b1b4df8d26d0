import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const sessionMigration: DatedMigration = {
  name: '2026-11-17-04-sessions',
  async up(db) {
    await db.schema
      .createTable('session')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('token_id', 'text', (column) => column.references('token.id').onDelete('cascade'))
      .addColumn('claims', 'text')
      .addColumn('remember', 'boolean', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('last_used_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('ends_at', 'text')
      .addColumn('provider_tokens', 'text')
      .addColumn('refresh_at', 'text')
      .addColumn('refresh_lease', 'text')
      .execute()
    await db.schema.createIndex('session_token').on('session').columns(['token_id']).execute()
    await db.schema.createIndex('session_subject').on('session').columns(['workspace_id', 'subject']).execute()
    await db.schema.createIndex('session_expiry').on('session').columns(['expires_at']).execute()
    await db.schema
      .createTable('used_login')
      .addColumn('state', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute()
  },
}
