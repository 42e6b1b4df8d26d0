import { sql } from 'kysely'
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

/** The last known rights of people of the identity provider, which their sessions do not outlive. */
export const knownRightsMigration: DatedMigration = {
  name: '2026-11-19-02-known-rights',
  async up(db) {
    await db.schema
      .createTable('known_rights')
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('claims', 'text')
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('known_rights_key', ['workspace_id', 'subject'])
      .execute()
    await sql`insert into known_rights (workspace_id, subject, claims, updated_at)
      select workspace_id, subject, claims, last_used_at from session as newest
      where claims is not null and not exists (select 1 from session as later
        where later.workspace_id = newest.workspace_id and later.subject = newest.subject and later.id > newest.id)`.execute(
      db,
    )
  },
}
