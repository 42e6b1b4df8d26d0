import type { Kysely } from 'kysely'

/** The tool calls that wait for the decision of a person. */
export async function createApprovalTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('approval')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull().references('message.id').onDelete('cascade'))
    .addColumn('tool_call_id', 'text', (column) => column.notNull())
    .addColumn('tool_id', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('arguments', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text')
    .addColumn('agent_name', 'text')
    .addColumn('user_id', 'text')
    .addColumn('requested_by', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('approvers', 'text', (column) => column.notNull())
    .addColumn('read_only', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'text')
    .addColumn('comment', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('approval_call').unique().on('approval').columns(['message_id', 'tool_call_id']).execute()
  await db.schema
    .createIndex('approval_list')
    .on('approval')
    .columns(['workspace_id', 'status', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('approval_expiry').on('approval').columns(['status', 'expires_at']).execute()
}
