import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const grantMigration: DatedMigration = {
  name: '2026-11-18-16-oauth-grants',
  async up(db) {
    await db.schema
      .createTable('oauth_grant')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('person_token_id', 'text', (column) => column.notNull().references('token.id').onDelete('cascade'))
      .addColumn('token_id', 'text', (column) => column.references('token.id').onDelete('cascade'))
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('client_host', 'text', (column) => column.notNull())
      .addColumn('redirect_uri', 'text', (column) => column.notNull())
      .addColumn('challenge', 'text', (column) => column.notNull())
      .addColumn('code_hash', 'text', (column) => column.notNull().unique())
      .addColumn('family_hash', 'text', (column) => column.unique())
      .addColumn('refresh_hash', 'text')
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('oauth_grant_person').on('oauth_grant').columns(['person_token_id']).execute()
    await db.schema.createIndex('oauth_grant_token').on('oauth_grant').columns(['token_id']).execute()
    await db.schema.createIndex('oauth_grant_expiry').on('oauth_grant').columns(['expires_at']).execute()
  },
}
