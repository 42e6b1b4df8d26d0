import type { Kysely } from 'kysely'
import type { Caller, Context, Role } from '../context.ts'
import { timestamp } from '../time.ts'
import type { Statement } from './commits.ts'
import type { Db } from './database.ts'
import type { DatedMigration } from './migrate.ts'

/** Who changed what, when and in which request. Values are not stored, because they may be secrets. */
interface AuditRow {
  id: string
  workspace_id: string
  token_id: string
  token_name: string | null
  role: Role
  user_id: string | null
  action: string
  kind: string
  resource_id: string | null
  /** The names of the fields, as JSON. */
  fields: string
  request_id: string
  created_at: string
}

declare module './database.ts' {
  interface Tables {
    audit_entry: AuditRow
  }
}

export interface AuditedChange {
  action: string
  kind: string
  id: string | null
  fields?: string[]
}

export const auditMigration: DatedMigration = {
  name: '2026-11-15-73-audit',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit_entry')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('token_id', 'text', (column) => column.notNull())
      .addColumn('token_name', 'text')
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('resource_id', 'text')
      .addColumn('fields', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('audit_list').on('audit_entry').columns(['workspace_id', 'created_at', 'id']).execute()
    await db.schema.createIndex('audit_resource').on('audit_entry').columns(['workspace_id', 'resource_id']).execute()
    await db.schema.createIndex('audit_age').on('audit_entry').columns(['created_at']).execute()
  },
}

/** Returns null for changes that the service makes by itself: only changes by requests are audited. */
function entryOf(ctx: Context, who: Caller, { action, kind, id, fields = [] }: AuditedChange): AuditRow | null {
  if (who.requestId === undefined) return null
  who.audited = true
  return {
    id: ctx.newId('aud'),
    workspace_id: who.workspace,
    token_id: who.token,
    token_name: who.name ?? null,
    role: who.role,
    user_id: who.userId,
    action,
    kind,
    resource_id: id,
    fields: JSON.stringify(fields),
    request_id: who.requestId,
    created_at: timestamp(ctx.now()),
  }
}

/** Adds an audit entry in the transaction that makes the change. */
export async function recordChange(ctx: Context, tx: Db, who: Caller, change: AuditedChange): Promise<void> {
  const entry = entryOf(ctx, who, change)
  if (entry) await tx.insertInto('audit_entry').values(entry).execute()
}

export function auditStatements(ctx: Context, who: Caller, change: AuditedChange): Statement[] {
  const entry = entryOf(ctx, who, change)
  return entry ? [ctx.statements.insert('audit_entry', { ...entry })] : []
}
