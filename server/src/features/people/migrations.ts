import type { Kysely } from 'kysely'
import type { Role } from '../../kernel/context.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export interface PersonRow {
  id: string
  workspace_id: string
  user_id: string
  name: string | null
  /** JSON. */
  groups: string
  /** The role in the person's last own request. Null if others have always acted for them. */
  role: Role | null
  first_seen_at: string
  last_seen_at: string
  revision: number
  created_at: string
  updated_at: string
}

export interface PersonJobRow {
  id: string
  workspace_id: string
  person_id: string
  /** The marker of the person. */
  subject: string
  kind: 'export' | 'erase'
  status: 'queued' | 'running' | 'completed' | 'failed'
  error: string | null
  /** JSON: numbers by kind. */
  receipt: string
  /** JSON: the file of an export. */
  file: string
  revision: number
  created_at: string
  updated_at: string
  finished_at: string | null
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    person: PersonRow
    person_job: PersonJobRow
  }
}

export const peopleMigration: DatedMigration = { name: '2026-11-17-20-people', up: createTables }

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('person')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('groups', 'text', (column) => column.notNull())
    .addColumn('role', 'text')
    .addColumn('first_seen_at', 'text', (column) => column.notNull())
    .addColumn('last_seen_at', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('person_user', ['workspace_id', 'user_id'])
    .execute()
  for (const column of ['created_at', 'last_seen_at'])
    await db.schema.createIndex(`person_${column}`).on('person').columns(['workspace_id', column, 'id']).execute()
  await db.schema
    .createTable('person_job')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('person_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('receipt', 'text', (column) => column.notNull())
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .execute()
  await db.schema
    .createIndex('person_job_list')
    .on('person_job')
    .columns(['workspace_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('person_job_subject').on('person_job').columns(['workspace_id', 'subject']).execute()
}
