import { watchConfiguration } from '../../kernel/store/configuration.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'

export const agentMigration: DatedMigration = {
  name: '2026-11-17-14-agents',
  async up(db) {
    await db.schema
      .createTable('agent')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('system_prompt', 'text')
      .addColumn('model_id', 'text')
      .addColumn('resolved_model_id', 'text')
      .addColumn('temperature', 'double precision')
      .addColumn('max_tokens', 'integer')
      .addColumn('top_p', 'double precision')
      .addColumn('stop', 'text', (column) => column.notNull().defaultTo('null'))
      .addColumn('seed', 'bigint')
      .addColumn('reasoning_effort', 'text')
      .addColumn('tool_choice', 'text')
      .addColumn('parallel_tool_calls', 'boolean')
      .addColumn('response_format', 'text', (column) => column.notNull().defaultTo('null'))
      .addColumn('max_steps', 'integer', (column) => column.notNull())
      .addColumn('tools', 'text', (column) => column.notNull())
      .addColumn('topics', 'text', (column) => column.notNull())
      .addColumn('prompt_template_id', 'text')
      .addColumn('prompt_variables', 'text', (column) => column.notNull())
      .addColumn('fallback_model_ids', 'text', (column) => column.notNull())
      .addColumn('resolved_fallback_ids', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('access', 'text', (column) => column.notNull().defaultTo('null'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('agent_list').on('agent').columns(['workspace_id', 'created_at', 'id']).execute()
    await watchConfiguration(db, 'agent')
  },
}

export const handoffMigration: DatedMigration = {
  name: '2026-11-18-03-handoffs',
  async up(db) {
    await db.schema
      .alterTable('agent')
      .addColumn('handoffs', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
  },
}

export const memoryFieldsMigration: DatedMigration = {
  name: '2026-11-18-22-agent-memory',
  async up(db) {
    const context = '{"strategy":"trim","keep_messages":20}'
    for (const [name, value] of Object.entries({ memory: 'null', context }))
      await db.schema
        .alterTable('agent')
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(value))
        .execute()
  },
}

/** The labels of versions, and the variants of the experiment that runs. */
export const agentLabelMigration: DatedMigration = {
  name: '2026-11-18-25-agent-labels',
  async up(db) {
    await db.schema
      .alterTable('agent')
      .addColumn('labels', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
    await db.schema.alterTable('agent').addColumn('experiment', 'text').execute()
  },
}
