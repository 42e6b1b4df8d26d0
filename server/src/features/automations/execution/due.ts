import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound, Problem } from '../../../kernel/errors.ts'
import type { RunningJob } from '../../../kernel/jobs/definition.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { minute, timestamp } from '../../../kernel/time.ts'
import { activeInLane, insertRun, type RunRow } from '../runs/store.ts'
import { type DuePayload, enqueueDue, type ScheduleRow, schedules } from '../schedules/service.ts'
import { maxCounted, missedTimes, nextAfter } from '../schedules/times.ts'
import { enqueueStart } from './settle.ts'

/** A run that is late by less is on time: a restart is no outage. */
const tolerance = 5 * minute
const maxQueued = 100

/**
 * Runs one due time. `next_run_at` is the truth: in one transaction the schedule is locked, the run of exactly this due time is
 * inserted and the next due time is set with its job. A job of any other due time does nothing, so that none runs twice.
 */
export async function runDue(ctx: Context, { workspace, payload }: RunningJob): Promise<void> {
  const { schedule: id, due } = payload as DuePayload
  if (workspace === null) return
  await inTransaction(ctx.db, async (tx) => {
    const schedule = await schedules.table.lock(tx, workspace, id)
    if (!schedule?.enabled || schedule.next_run_at !== due) return
    if (Date.parse(due) > ctx.now()) return enqueueDue(ctx, tx, workspace, { schedule: id, due })
    const last = await catchUp(ctx, tx, workspace, schedule, due)
    const next = nextAfter(schedule, Date.parse(last))
    await schedules.table.update(tx, workspace, id, { next_run_at: next })
    if (next !== null) await enqueueDue(ctx, tx, workspace, { schedule: id, due: next })
  })
}

/** Inserts the run of a due time, and returns the last due time that is dealt with. */
async function catchUp(ctx: Context, tx: Db, workspace: string, schedule: ScheduleRow, due: string): Promise<string> {
  const tooLate = ctx.now() - tolerance
  if (Date.parse(due) >= tooLate) {
    await insert(ctx, tx, workspace, schedule, due)
    return due
  }
  const { count, last } = missedTimes(schedule, due, tooLate - 1)
  const following = nextAfter(schedule, Date.parse(last))
  // A later due time that is on time is the last one, and runs next.
  const runsLast = schedule.catch_up === 'last' && (following === null || Date.parse(following) > ctx.now())
  const skipped = runsLast ? count - 1 : count
  if (skipped > 0) await insertSkipped(ctx, tx, workspace, schedule.id, due, skipped)
  if (runsLast) await insert(ctx, tx, workspace, schedule, last)
  return last
}

async function insertSkipped(ctx: Context, tx: Db, workspace_id: string, owner_id: string, due: string, count: number) {
  const number =
    count > maxCounted ? `More than ${maxCounted} due times` : count === 1 ? 'One due time' : `${count} due times`
  await insertRun(ctx, tx, {
    workspace_id,
    owner_id,
    lane: owner_id,
    due_at: due,
    scheduled_for: due,
    status: 'skipped',
    code: 'missed',
    error: `${number} passed while the service was not running.`,
    finished_at: timestamp(ctx.now()),
  })
}

/** Inserts a run, queued or skipped as `overlap` says. */
async function insert(
  ctx: Context,
  tx: Db,
  workspace_id: string,
  { id, overlap }: ScheduleRow,
  due_at: string,
  scheduled_for: string | null = due_at,
): Promise<RunRow | undefined> {
  const active = await activeInLane(tx, workspace_id, id)
  const isFull = active.filter(({ status }) => status === 'queued').length >= maxQueued
  const common = { workspace_id, owner_id: id, lane: id, due_at, scheduled_for }
  if (active.length > 0 && (overlap === 'skip' || isFull)) {
    const error = overlap === 'skip' ? 'An earlier run has not ended.' : `${maxQueued} earlier runs are queued.`
    const skipped = { status: 'skipped', code: 'already_running', error, finished_at: timestamp(ctx.now()) } as const
    return insertRun(ctx, tx, { ...common, ...skipped })
  }
  const run = await insertRun(ctx, tx, common)
  if (run && active.length === 0) await enqueueStart(ctx, tx, workspace_id, run.id)
  return run
}

/** A person starts a run. */
export async function runNow(ctx: Context, who: Caller, id: string): Promise<RunRow> {
  await schedules.get(ctx, who, id)
  return inTransaction(ctx.db, async (tx) => {
    const schedule = (await schedules.table.lock(tx, who.workspace, id)) ?? notFound(schedules.kind, id)
    if (!schedule.enabled) throw new Problem('disabled', 'This schedule is disabled. Enable it to run it.')
    const run = await insert(ctx, tx, who.workspace, schedule, timestamp(ctx.now()), null)
    await ctx.audit.record(tx, who, { action: 'run', kind: schedules.kind, id, part: run?.id ?? null })
    return run ?? notFound('run', id)
  })
}
