import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const invitationMigration: DatedMigration = {
  name: '2026-11-18-07-invitations',
  async up(db) {
    await db.schema
      .createTable('invitation')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('groups', 'text', (column) => column.notNull())
      .addColumn('email', 'text')
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('accepted_at', 'text')
      .addColumn('user_id', 'text')
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('invitation_list')
      .on('invitation')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute()
  },
}

/** Whether the link was sent by e-mail, and the encrypted code until it is. */
export const invitationMailMigration: DatedMigration = {
  name: '2026-11-19-22-invitation-mail',
  async up(db) {
    for (const column of ['email_status', 'email_error', 'mail_sealed'])
      await db.schema.alterTable('invitation').addColumn(column, 'text').execute()
  },
}
