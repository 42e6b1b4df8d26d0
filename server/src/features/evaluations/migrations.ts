import { type Kysely, sql } from 'kysely'
import type { Db } from '../../kernel/store/database.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { addMissingBasis } from './rests-on.ts'

export const evaluationMigration: DatedMigration = {
  name: '2026-11-17-16-evaluations',
  async up(db) {
    await createEvaluations(db)
    await createCases(db)
    await createRuns(db)
    await createResults(db)
  },
}

export const restsOnMigration: DatedMigration = {
  name: '2026-11-19-16-evaluation-basis',
  async up(db) {
    await db.schema
      .alterTable('evaluation')
      .addColumn('rests_on', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
    await addMissingBasis(db as Db)
  },
}

/** How many calls of a result had no known price. */
export const unpricedResultsMigration: DatedMigration = {
  name: '2026-11-19-21-unpriced-results',
  async up(db) {
    for (const column of ['unpriced_requests', 'judge_unpriced_requests'])
      await db.schema
        .alterTable('evaluation_result')
        .addColumn(column, 'integer', (added) => added.notNull().defaultTo(0))
        .execute()
  },
}

async function createEvaluations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('evaluation')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addColumn('test_case_count', 'integer', (column) => column.notNull())
    .addColumn('scorers', 'text', (column) => column.notNull())
    .addColumn('concurrency', 'integer', (column) => column.notNull())
    .addColumn('pass_threshold', 'double precision', (column) => column.notNull())
    .addColumn('cases_version', 'integer', (column) => column.notNull())
    .addColumn('cases_digest', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('evaluation_list')
    .on('evaluation')
    .columns(['workspace_id', 'created_at', 'id'])
    .execute()
}

async function createCases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('evaluation_case')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('evaluation_id', 'text', (column) => column.notNull().references('evaluation.id').onDelete('cascade'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('expected_output', 'text')
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('evaluation_case_key', ['evaluation_id', 'version', 'position'])
    .execute()
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('evaluation_run')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('evaluation_id', 'text', (column) => column.notNull().references('evaluation.id').onDelete('cascade'))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('done', 'integer', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addColumn('target_version', 'integer')
    .addColumn('evaluation_version', 'integer', (column) => column.notNull())
    .addColumn('cases_version', 'integer', (column) => column.notNull())
    .addColumn('scorers', 'text', (column) => column.notNull())
    .addColumn('concurrency', 'integer', (column) => column.notNull())
    .addColumn('pass_threshold', 'double precision', (column) => column.notNull())
    .addColumn('pinned', 'text', (column) => column.notNull())
    .addColumn('started_by', 'text', (column) => column.notNull())
    .addColumn('job_id', 'text')
    .addColumn('stalled', 'integer', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('started_at', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('evaluation_run_list')
    .on('evaluation_run')
    .columns(['workspace_id', 'evaluation_id', 'id'])
    .execute()
  // An evaluation has at most one run that is queued or running.
  await sql`create unique index evaluation_run_one on evaluation_run (evaluation_id) where status in ('queued', 'running')`.execute(
    db,
  )
}

async function createResults(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('evaluation_result')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('run_id', 'text', (column) => column.notNull().references('evaluation_run.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text')
    .addColumn('actual_output', 'text')
    .addColumn('scores', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('latency_ms', 'integer')
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost_nano', 'bigint', (column) => column.notNull())
    .addColumn('judge_tokens', 'bigint', (column) => column.notNull())
    .addColumn('judge_cost_nano', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('evaluation_result_key', ['run_id', 'position'])
    .execute()
  await db.schema
    .createIndex('evaluation_result_outcome')
    .on('evaluation_result')
    .columns(['run_id', 'outcome', 'position'])
    .execute()
}
