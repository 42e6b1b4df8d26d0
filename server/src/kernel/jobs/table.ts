import { type Kysely, sql } from 'kysely'
import type { Db } from '../store/database.ts'
import type { DatedMigration } from '../store/migrate.ts'

export interface JobView {
  id: string
  queue: string
  status: JobStatus
  attempt: number
  progress: unknown
  error: string | null
}

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

export interface JobRow {
  id: string
  workspace_id: string | null
  queue: string
  key: string | null
  payload: string
  status: JobStatus
  attempt: number
  progress: string
  error: string | null
  run_at: number
  heartbeat_at: number | null
  /** The process that runs it, or ran it last. Null if that has died. */
  node: string | null
  created_at: number
  finished_at: number | null
}

declare module '../store/database.ts' {
  interface Tables {
    job: JobRow
  }
}

export const jobMigration: DatedMigration = {
  name: '2026-11-15-02-jobs',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('job')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.references('workspace.id').onDelete('cascade'))
      .addColumn('queue', 'text', (column) => column.notNull())
      .addColumn('key', 'text')
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('run_at', 'bigint', (column) => column.notNull())
      .addColumn('heartbeat_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute()
    await db.schema.createIndex('job_waiting').on('job').columns(['status', 'queue', 'run_at']).execute()
    await sql`create unique index job_key on job (key) where status in ('queued', 'running')`.execute(db)
  },
}

export const jobNodeMigration: DatedMigration = {
  name: '2026-11-16-21-job-node',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('job').addColumn('node', 'text').execute()
  },
}

/** Stores a job. If one with its key is queued or running, returns the ID of that one instead. */
export async function insertUnlessKeyTaken(tx: Db, row: JobRow): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('job')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return undefined
  const existing = await tx
    .selectFrom('job')
    .select('id')
    .where('key', '=', row.key)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return existing.id
}

/** Claims a job for an attempt. Returns undefined if it has ended. */
export const claim = (db: Db, id: string, node: string, now: number): Promise<JobRow | undefined> =>
  db
    .updateTable('job')
    .set((is) => ({ status: 'running' as const, attempt: is('attempt', '+', 1), heartbeat_at: now, node }))
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst()

/** Stores a heartbeat. Returns false if the job was cancelled. */
export async function heartbeat(db: Db, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('job')
    .set({ heartbeat_at: now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function setProgress(db: Db, id: string, progress: string): Promise<void> {
  await db.updateTable('job').set({ progress }).where('id', '=', id).execute()
}

export async function finish(
  tx: Db,
  id: string,
  outcome: { status: JobStatus; error: string | null; finished_at: number },
): Promise<void> {
  await tx.updateTable('job').set(outcome).where('id', '=', id).where('status', '=', 'running').execute()
}

export const requeue = (
  tx: Db,
  id: string,
  change: { run_at: number; error: string | null },
): Promise<JobRow | undefined> =>
  tx
    .updateTable('job')
    .set({ status: 'queued', heartbeat_at: null, ...change })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst()

export async function cancel(db: Db, workspace: string | null, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('job')
    .set({ status: 'cancelled', finished_at: now })
    .where('id', '=', id)
    .where('workspace_id', workspace === null ? 'is' : '=', workspace)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function view(db: Db, workspace: string | null, id: string): Promise<JobView | undefined> {
  const row = await db
    .selectFrom('job')
    .select(['id', 'queue', 'status', 'attempt', 'progress', 'error'])
    .where('id', '=', id)
    .where('workspace_id', workspace === null ? 'is' : '=', workspace)
    .executeTakeFirst()
  return row && { ...row, progress: JSON.parse(row.progress) }
}

export interface JobCounts {
  /** Including those that have to wait for their time. */
  queued: number
  /** Queued and waiting only for a worker. */
  due: number
  running: number
  failed: number
}

export async function counts(db: Db, now: number): Promise<JobCounts> {
  const rows = await db
    .selectFrom('job')
    .select(['status', (is) => is.fn.countAll<number>().as('count')])
    .select(sql<number>`sum(case when run_at <= ${now} then 1 else 0 end)`.as('due'))
    .where('status', 'in', ['queued', 'running', 'failed'])
    .groupBy('status')
    .execute()
  const find = (status: JobStatus) => rows.find((row) => row.status === status)
  const count = (status: JobStatus) => Number(find(status)?.count ?? 0)
  const due = Number(find('queued')?.due ?? 0)
  return { queued: count('queued'), due, running: count('running'), failed: count('failed') }
}

/** The jobs that are due and not started, by queue. */
export async function waiting(db: Db, now: number): Promise<{ queue: string; count: number; since: number }[]> {
  const rows = await db
    .selectFrom('job')
    .select(['queue', (is) => is.fn.countAll<number>().as('count'), (is) => is.fn.min('run_at').as('since')])
    .where('status', '=', 'queued')
    .where('run_at', '<=', now)
    .groupBy('queue')
    .execute()
  return rows.map(({ queue, count, since }) => ({ queue, count: Number(count), since: Number(since) }))
}

export type DueJob = Pick<JobRow, 'id' | 'workspace_id'>

/** The oldest job of a queue that is due, without the given jobs and the jobs of the given workspaces. */
export function nextDue(
  db: Db,
  queue: string,
  now: number,
  without: { ids: readonly string[]; workspaces: readonly string[] },
): Promise<DueJob | undefined> {
  let jobs = db
    .selectFrom('job')
    .select(['id', 'workspace_id'])
    .where('status', '=', 'queued')
    .where('queue', '=', queue)
    .where('run_at', '<=', now)
  if (without.ids.length > 0) jobs = jobs.where('id', 'not in', without.ids)
  if (without.workspaces.length > 0) {
    jobs = jobs.where((is) => is.or([is('workspace_id', 'is', null), is('workspace_id', 'not in', without.workspaces)]))
  }
  return jobs.orderBy('run_at').orderBy('id').limit(1).executeTakeFirst()
}

/** The processes that run jobs, dead or alive. */
export async function nodesWithJobs(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('job').select('node').distinct().where('status', '=', 'running').execute()
  return rows.flatMap(({ node }) => node ?? [])
}

export type RunningJobRow = Pick<JobRow, 'id' | 'queue'>

/** The running jobs of dead processes. Each is returned once. */
export const takeFrom = (db: Db, nodes: string[]): Promise<RunningJobRow[]> =>
  db
    .updateTable('job')
    .set({ node: null })
    .where('status', '=', 'running')
    .where('node', 'in', nodes)
    .returning(['id', 'queue'])
    .execute()

/** Requeues the jobs that an earlier process did not finish. */
export async function requeueAll(db: Db): Promise<void> {
  await db.updateTable('job').set({ status: 'queued', heartbeat_at: null }).where('status', '=', 'running').execute()
}

export async function tidy(db: Db, limits: { completedBefore: number; failedBefore: number }): Promise<void> {
  await db
    .deleteFrom('job')
    .where('status', 'in', ['completed', 'cancelled'])
    .where('finished_at', '<', limits.completedBefore)
    .execute()
  await db.deleteFrom('job').where('status', '=', 'failed').where('finished_at', '<', limits.failedBefore).execute()
}
