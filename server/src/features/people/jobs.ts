import type { Caller, Context } from '../../kernel/context.ts'
import { forbidden, notFound, Problem } from '../../kernel/errors.ts'
import type { RunningJob } from '../../kernel/jobs/definition.ts'
import type { Person } from '../../kernel/personal-data.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { hour, timestamp } from '../../kernel/time.ts'
import { maySetRole, tokensOfPerson } from '../tokens/service.ts'
import { erasePerson } from './erase.ts'
import { exportPerson, removeExpiredExports } from './export.ts'
import type { PersonJobRow } from './migrations.ts'
import { personMarker } from './sightings.ts'
import { type JobRow, jobs as rows, updateJob } from './store.ts'

const queue = 'people.jobs'
const attempts = 8

export const userJobs = {
  kind: 'user job',
  list: (ctx: Context, who: Caller, query: ListQuery): Promise<Page<JobRow>> => rows.list(ctx.db, who.workspace, query),
  get: async (ctx: Context, who: Caller, id: string): Promise<JobRow> =>
    (await rows.find(ctx.db, who.workspace, id)) ?? notFound('user job', id),
}

/** Starts an export or an erasure, or returns the one that is queued or running. */
export async function startJob(ctx: Context, who: Caller, id: string, kind: PersonJobRow['kind']): Promise<JobRow> {
  await ctx.people.flush()
  return inTransaction(ctx.db, async (tx) => {
    const person = await lockPerson(tx, who, id)
    if (kind === 'erase') await requireRank(tx, who, person.user_id)
    const open = await tx
      .selectFrom('person_job')
      .select(['id', 'kind'])
      .where('workspace_id', '=', who.workspace)
      .where('person_id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .execute()
    if (kind === 'export' && open.some((job) => job.kind === 'erase'))
      throw new Problem('already_running', 'This person is being erased.')
    const same = open.find((job) => job.kind === kind)
    const jobId = same?.id ?? (await insertJob(ctx, tx, who, { id, userId: person.user_id, kind }))
    return (await rows.find(tx, who.workspace, jobId)) ?? notFound('user job', jobId)
  })
}

/** Locked, so that two requests start one job. */
async function lockPerson(tx: Db, who: Caller, id: string): Promise<{ user_id: string }> {
  const person = await tx
    .updateTable('person')
    .set((is) => ({ revision: is.ref('revision') }))
    .where('workspace_id', '=', who.workspace)
    .where('id', '=', id)
    .returning('user_id')
    .executeTakeFirst()
  return person ?? notFound('user', id)
}

/** Erasing revokes tokens, so the same rule holds as for revoking them. */
async function requireRank(tx: Db, who: Caller, userId: string): Promise<void> {
  const tokens = await tokensOfPerson(tx, who.workspace, userId)
  const higher = tokens.find(({ role }) => !maySetRole(who.role, role))
  if (higher) forbidden(`The role "${who.role}" may not erase a person who has a token with the role "${higher.role}".`)
}

interface NewPersonJob {
  id: string
  userId: string
  kind: PersonJobRow['kind']
}

async function insertJob(ctx: Context, tx: Db, who: Caller, { id, userId, kind }: NewPersonJob): Promise<string> {
  const now = timestamp(ctx.now())
  const row: PersonJobRow = {
    id: ctx.newId('ujb'),
    workspace_id: who.workspace,
    person_id: id,
    subject: personMarker(ctx.secrets, who.workspace, userId),
    kind,
    status: 'queued',
    error: null,
    receipt: '{}',
    file: 'null',
    revision: 1,
    created_at: now,
    updated_at: now,
    finished_at: null,
  }
  await tx.insertInto('person_job').values(row).execute()
  await ctx.jobs.enqueue(tx, queue, { workspace: who.workspace, payload: { job: row.id } })
  await ctx.audit.record(tx, who, { action: kind, kind: 'user', id })
  return row.id
}

/** Runs from the start again after a crash: what is erased stays erased, and an export is written anew. */
async function run(ctx: Context, { workspace, payload, attempt, signal }: RunningJob): Promise<void> {
  const { job: id } = payload as { job: string }
  if (workspace === null) return
  const job = await rows.find(ctx.db, workspace, id)
  const row = job && (await findPerson(ctx, workspace, job.person_id))
  if (!job || !row || job.status === 'completed') return
  const person: Person = { workspace, userId: row.user_id, marker: job.subject }
  try {
    await updateJob(ctx, ctx.db, workspace, id, { status: 'running' })
    if (job.kind === 'export') await exportPerson(ctx, job, person, signal)
    else await erasePerson(ctx, job, person, signal)
  } catch (error) {
    if (!signal.aborted && attempt >= attempts) {
      const failed = { error: 'Something failed inside the service; the log says what. Try again.' }
      await updateJob(ctx, ctx.db, workspace, id, { status: 'failed', ...failed, finished_at: timestamp(ctx.now()) })
    }
    throw error
  }
}

const findPerson = ({ db }: Context, workspace: string, id: string) =>
  db
    .selectFrom('person')
    .select('user_id')
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue,
    attempts,
    concurrency: 1,
    perWorkspace: 1,
    resumable: true,
    run: (job) => run(ctx, job),
  })
  ctx.jobs.define({ queue: 'people.exports', every: hour, run: () => removeExpiredExports(ctx) })
}
