import { type Kysely, sql } from 'kysely'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const apiToolMigration: DatedMigration = {
  name: '2026-11-17-13-api-tools',
  async up(db) {
    await createTools(db)
    await createMcpCatalogues(db)
  },
}

async function createTools(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_tool')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('parameters', 'text', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('query', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('auth', 'text', (column) => column.notNull())
    .addColumn('auth_sealed', 'text')
    .addColumn('timeout_ms', 'integer', (column) => column.notNull())
    .addColumn('response_path', 'text')
    .addColumn('max_response_bytes', 'integer', (column) => column.notNull())
    .addColumn('requires_approval', 'boolean')
    .addColumn('approvers', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('approval_timeout_minutes', 'integer', (column) => column.notNull().defaultTo(1440))
    .addColumn('tools', 'text', (column) => column.notNull().defaultTo('null'))
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('source_key', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('api_tool_list').on('api_tool').columns(['workspace_id', 'created_at', 'id']).execute()
  await db.schema.createIndex('api_tool_name').unique().on('api_tool').columns(['workspace_id', 'name']).execute()
  await db.schema.createIndex('api_tool_source').on('api_tool').columns(['workspace_id', 'source_key']).execute()
}

/** The tools of an MCP server: those in effect and those it offers now. */
async function createMcpCatalogues(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mcp_catalogue')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('api_tool_id', 'text', (column) => column.notNull().references('api_tool.id').onDelete('cascade'))
    .addColumn('accepted', 'text', (column) => column.notNull())
    .addColumn('accepted_version', 'text', (column) => column.notNull())
    .addColumn('offered', 'text', (column) => column.notNull())
    .addColumn('offered_version', 'text', (column) => column.notNull())
    .addColumn('offered_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('mcp_catalogue_key', ['workspace_id', 'api_tool_id'])
    .execute()
}

/** Accounts of people and workspaces at the providers of tools. */
export const connectionMigration: DatedMigration = {
  name: '2026-11-18-10-connections',
  async up(db) {
    await db.schema
      .createTable('connection')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('tool_id', 'text', (column) => column.notNull().references('api_tool.id').onDelete('cascade'))
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text')
      .addColumn('expires_at', 'bigint')
      .addColumn('refresh_lease', 'bigint')
      .addColumn('connected_at', 'text', (column) => column.notNull())
      .addColumn('last_used_at', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('connection_list')
      .on('connection')
      .columns(['workspace_id', 'created_at', 'id'])
      .execute()
    await db.schema
      .createIndex('connection_account')
      .unique()
      .on('connection')
      .columns(['workspace_id', 'tool_id', 'user_id'])
      .execute()
    await createFlows(db)
  },
}

async function createFlows(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('connection_flow')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('tool_id', 'text', (column) => column.notNull().references('api_tool.id').onDelete('cascade'))
    .addColumn('user_id', 'text')
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('connection_flow_expiry').on('connection_flow').columns(['expires_at']).execute()
  await db.schema
    .createTable('connection_client')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('tool_id', 'text', (column) => column.notNull().references('api_tool.id').onDelete('cascade'))
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('connection_client_key', ['workspace_id', 'tool_id', 'issuer', 'redirect_uri'])
    .execute()
}

/** The scopes that a server has asked for after the account was connected. */
export const requiredScopesMigration: DatedMigration = {
  name: '2026-11-19-03-required-scopes',
  async up(db) {
    await db.schema
      .alterTable('connection')
      .addColumn('required_scopes', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
  },
}

/** One account of the workspace per tool: a unique index takes two rows without a user for different ones. */
export const workspaceAccountMigration: DatedMigration = {
  name: '2026-11-19-10-workspace-account',
  async up(db) {
    await sql`delete from connection where user_id is null and id not in (
      select max(id) from connection where user_id is null group by workspace_id, tool_id)`.execute(db)
    await db.schema
      .createIndex('connection_workspace_account')
      .unique()
      .on('connection')
      .columns(['workspace_id', 'tool_id'])
      .where(sql.ref('user_id'), 'is', null)
      .execute()
  },
}
