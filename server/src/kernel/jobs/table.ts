import { type Kysely, sql } from 'kysely'
import { type Db, isPostgres } from '../store/database.ts'

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
  /** The process that runs it, or ran it last. Null if it was taken from a process that has died. */
  node: string | null
  created_at: number
  finished_at: number | null
}

declare module '../store/database.ts' {
  interface Tables {
    job: JobRow
  }
}

export async function createJobTable(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('node', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .execute()
  await db.schema.createIndex('job_waiting').on('job').columns(['status', 'queue', 'run_at']).execute()
  await sql`create unique index job_key on job (key) where status in ('queued', 'running')`.execute(db)
}

/** Stores a job. If one with its key is queued or running, returns the ID of that one instead. */
export async function insertUnlessKeyTaken(tx: Db, row: JobRow): Promise<string | undefined> {
  for (;;) {
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
      .executeTakeFirst()
    // On Postgres it may have ended between the two statements.
    if (existing) return existing.id
  }
}

interface Claim {
  queue: string
  node: string
  now: number
  without: { ids: readonly string[]; workspaces: readonly string[] }
}

/**
 * Claims the oldest job of a queue that is due, without the given jobs and the jobs of the given workspaces. No two
 * processes get the same one.
 */
export function claimNext(db: Db, { queue, node, now, without }: Claim): Promise<JobRow | undefined> {
  let due = db
    .selectFrom('job')
    .select('id')
    .where('status', '=', 'queued')
    .where('queue', '=', queue)
    .where('run_at', '<=', now)
  if (without.ids.length > 0) due = due.where('id', 'not in', without.ids)
  if (without.workspaces.length > 0) {
    due = due.where((is) => is.or([is('workspace_id', 'is', null), is('workspace_id', 'not in', without.workspaces)]))
  }
  due = due.orderBy('run_at').orderBy('id').limit(1)
  if (isPostgres(db)) due = due.forUpdate().skipLocked()
  return db
    .updateTable('job')
    .set((is) => ({ status: 'running' as const, attempt: is('attempt', '+', 1), heartbeat_at: now, node }))
    .where('id', '=', due)
    .returningAll()
    .executeTakeFirst()
}

/** Stores a heartbeat. Returns false if the job was cancelled or another node has taken it over. */
export async function heartbeat(db: Db, { id, node }: JobRow, now: number): Promise<boolean> {
  const result = await db
    .updateTable('job')
    .set({ heartbeat_at: now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('node', '=', node)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function setProgress(db: Db, id: string, progress: string): Promise<void> {
  await db.updateTable('job').set({ progress }).where('id', '=', id).execute()
}

/** Ends a job, unless another node has taken it over. */
export async function finish(
  tx: Db,
  { id, node }: JobRow,
  outcome: { status: JobStatus; error: string | null; finished_at: number },
): Promise<void> {
  await tx
    .updateTable('job')
    .set(outcome)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('node', '=', node)
    .execute()
}

export const requeue = (
  tx: Db,
  { id, node }: JobRow,
  change: { run_at: number; error: string | null },
): Promise<JobRow | undefined> =>
  tx
    .updateTable('job')
    .set({ status: 'queued', heartbeat_at: null, ...change })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('node', '=', node)
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
  /** All queued jobs, including delayed ones. */
  queued: number
  /** Queued and waiting only for a worker. */
  due: number
  running: number
  failed: number
}

export async function counts(db: Db, now: number): Promise<JobCounts> {
  const rows = await db
    .selectFrom('job')
    .select((is) => [
      'status',
      is.fn.countAll<number>().as('count'),
      is.fn.countAll<number>().filterWhere('run_at', '<=', now).as('due'),
    ])
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

/** The queues with jobs that become due until a time, with the times in whole seconds; 0 if they are due already. */
export async function dueTimes(
  db: Db,
  { now, until }: { now: number; until: number },
): Promise<{ queue: string; at: number }[]> {
  const at = sql<number>`case when run_at <= ${now} then 0 else (run_at + 999) / 1000 * 1000 end`
  const rows = await db
    .selectFrom('job')
    .select(['queue', at.as('at')])
    .distinct()
    .where('status', '=', 'queued')
    .where('run_at', '<=', until)
    .execute()
  return rows.map(({ queue, at }) => ({ queue, at: Number(at) }))
}

export type RunningJobRow = Pick<JobRow, 'id' | 'heartbeat_at'> & { node: string }

/** The jobs that other processes run, dead or alive. */
export const runningElsewhere = (db: Db, node: string): Promise<RunningJobRow[]> =>
  db
    .selectFrom('job')
    .select(['id', 'node', 'heartbeat_at'])
    .where('status', '=', 'running')
    .where('node', '!=', node)
    .$narrowType<{ node: string }>()
    .execute()

/** Requeues jobs whose process has not given a heartbeat since the rows were read. Returns their number. */
export async function requeueJobs(db: Db, jobs: readonly RunningJobRow[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ status: 'queued', heartbeat_at: null, node: null })
    .where('status', '=', 'running')
    .where((is) =>
      is.or(
        jobs.map(({ id, heartbeat_at }) =>
          is.and([is('id', '=', id), is('heartbeat_at', heartbeat_at === null ? 'is' : '=', heartbeat_at)]),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function tidy(db: Db, limits: { completedBefore: number; failedBefore: number }): Promise<void> {
  await db
    .deleteFrom('job')
    .where('status', 'in', ['completed', 'cancelled'])
    .where('finished_at', '<', limits.completedBefore)
    .execute()
  await db.deleteFrom('job').where('status', '=', 'failed').where('finished_at', '<', limits.failedBefore).execute()
}
