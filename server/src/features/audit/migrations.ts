import { type Kysely, sql } from 'kysely'
import type { Role } from '../../kernel/caller.ts'
import { sealedColumn } from '../../kernel/secrets/sealed.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { workspaceIds } from '../../kernel/store/workspaces.ts'

/** An entry about one change: its author, resource, time and request. Values are not stored, because they may be secrets. */
export interface AuditRow {
  id: string
  workspace_id: string
  token_id: string
  token_name: string | null
  role: Role
  user_id: string | null
  action: string
  kind: string
  resource_id: string | null
  /** The part of the resource, such as a message of a conversation. */
  part_id: string | null
  /** The names of the fields, as JSON. */
  fields: string
  request_id: string
  created_at: string
  /** Its place in the chain of its workspace; null until it is sealed. */
  sequence: number | null
  /** The hash of the chain up to it. Until it is sealed, the signature of the node that wrote it. */
  hash: string | null
}

/** The state of the chain of a workspace. `mac` authenticates the other columns. */
export interface ChainRow {
  workspace_id: string
  /** The last sealed entry. */
  sequence: number
  hash: string
  /** The last entry that retention has removed. */
  anchor_sequence: number
  anchor_hash: string
  mac: string
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    audit_entry: AuditRow
    audit_chain: ChainRow
    audit_key: { id: string; key_sealed: string }
  }
}

export const firstHash = '0'.repeat(64)

export const auditKeyContext = 'audit_key'
export const sealedAuditKey = sealedColumn('audit_key', 'key_sealed', () => auditKeyContext)

export const auditMigration: DatedMigration = {
  name: '2026-11-17-19-audit',
  async up(db) {
    await createEntries(db)
    await createChain(db)
  },
}

/** Starts the chains of workspaces without entries. This start signs them. From now on a chain starts with its workspace. */
export const startedChainsMigration: DatedMigration = {
  name: '2026-11-19-19-audit-chains',
  async up(db) {
    const chains = (db as Db).insertInto('audit_chain').onConflict((conflict) => conflict.doNothing())
    const empty = { sequence: 0, hash: firstHash, anchor_sequence: 0, anchor_hash: firstHash, mac: '' }
    for (const workspace_id of await workspaceIds(db as Db)) await chains.values({ workspace_id, ...empty }).execute()
  },
}

async function createEntries(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('part_id', 'text')
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint')
    .addColumn('hash', 'text')
    .execute()
  await db.schema.createIndex('audit_list').on('audit_entry').columns(['workspace_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('audit_resource').on('audit_entry').columns(['workspace_id', 'resource_id']).execute()
  await sql`create unique index audit_sequence on audit_entry (workspace_id, sequence) where sequence is not null`.execute(
    db,
  )
  await sql`create index audit_unsealed on audit_entry (workspace_id, id) where sequence is null`.execute(db)
  // Filters by user must not read all entries of a workspace, and neither must erasing a person.
  await sql`create index audit_user on audit_entry (workspace_id, user_id) where user_id is not null`.execute(db)
}

async function createChain(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_chain')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey().references('workspace.id').onDelete('cascade'))
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('anchor_sequence', 'bigint', (column) => column.notNull())
    .addColumn('anchor_hash', 'text', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('audit_key')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key_sealed', 'text', (column) => column.notNull())
    .execute()
}
