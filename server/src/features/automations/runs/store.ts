import { sql } from 'kysely'
import { type WaitingKind, waitingKind } from '../../../kernel/agent/needs.ts'
import type { Context, PersonalFunctions } from '../../../kernel/context.ts'
import { type Db, isPostgres } from '../../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import { resourceTable, type Stored } from '../../../kernel/store/table.ts'
import { timestamp } from '../../../kernel/time.ts'
import { replyStatuses } from '../../conversations/children/replies.ts'
import { dollars } from '../../usage/cost.ts'
import { type AutomationRun, type RunStatus, TriggerRun } from './schema.ts'

/** A run as it is stored. */
export interface RunRow extends Omit<Stored<AutomationRun>, 'cost' | 'waiting_for'> {
  workspace_id: string
  /** The schedule or trigger. */
  owner_id: string
  /** The due time of the schedule, unique per schedule; null if a person or a webhook started the run. */
  scheduled_for: string | null
  /** The id of the event, unique per trigger; null without a webhook. */
  event_id: string | null
  /** Runs of the same lane run one after the other: those of a schedule, or of a conversation. */
  lane: string
  /** Replaces the schedule's message. */
  input: string | null
  body: string | null
  cost_nano: number
}

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    automation_run: RunRow
  }
}

const table = resourceTable<typeof TriggerRun>({
  name: 'automation_run',
  shape: TriggerRun,
  computed: ['cost', 'waiting_for'],
})

export const presentRun = (
  row: RunRow,
  waiting_for: WaitingKind | null = null,
): AutomationRun & { body: string | null } => {
  const { id, due_at, started_at, finished_at, status, code, error, conversation_id, message_id } = row
  const { sync_id, evaluation_run_id, cost_nano, unpriced_requests, created_at, updated_at, body } = row
  return {
    id,
    due_at,
    started_at,
    finished_at,
    status,
    waiting_for,
    code,
    error,
    conversation_id,
    message_id,
    sync_id,
    evaluation_run_id,
    cost: dollars(Number(cost_nano)),
    unpriced_requests,
    created_at,
    updated_at,
    body,
  }
}

/** The runs with what they wait for, which their replies know. */
export async function presentRuns(db: Db, workspace: string, rows: RunRow[]) {
  const waiting = rows.flatMap(({ status, message_id: id }) => (status === 'awaiting_approval' && id ? [id] : []))
  const statuses = await replyStatuses(db, workspace, waiting)
  return rows.map((row) => presentRun(row, waitingKind(statuses.get(row.message_id ?? '') ?? '')))
}

export async function listRuns(
  { db }: Context,
  workspace: string,
  owner: string,
  query: ListQuery,
): Promise<Page<AutomationRun & { body: string | null }>> {
  const page = await table.list(db, workspace, { ...query, fields: undefined }, (all) =>
    all.where('owner_id', '=', owner),
  )
  return { ...page, rows: await presentRuns(db, workspace, page.rows as unknown as RunRow[]) }
}

/** The newest run of each owner. */
export async function lastRuns(db: Db, workspace: string, owners: string[]): Promise<Map<string, RunRow>> {
  if (owners.length === 0) return new Map()
  const newest = db
    .selectFrom('automation_run')
    .select((is) => is.fn.max('id').as('id'))
    .where('workspace_id', '=', workspace)
    .where('owner_id', 'in', owners)
    .groupBy('owner_id')
  const rows = await db.selectFrom('automation_run').selectAll().where('id', 'in', newest).execute()
  return new Map(rows.map((row) => [row.owner_id, row]))
}

type NewRun = Pick<RunRow, 'workspace_id' | 'owner_id' | 'lane' | 'due_at'> & Partial<RunRow>

/** Returns undefined if this due time has its run already. */
export async function insertRun(ctx: Context, tx: Db, run: NewRun): Promise<RunRow | undefined> {
  const now = timestamp(ctx.now())
  const row: RunRow = {
    id: ctx.newId('run'),
    revision: 1,
    created_at: now,
    updated_at: now,
    scheduled_for: null,
    event_id: null,
    input: null,
    body: null,
    started_at: null,
    finished_at: null,
    status: 'queued',
    code: null,
    error: null,
    conversation_id: null,
    message_id: null,
    sync_id: null,
    evaluation_run_id: null,
    cost_nano: 0,
    unpriced_requests: 0,
    ...run,
  }
  const inserted = await tx
    .insertInto('automation_run')
    .values(row)
    .onConflict((on) => on.columns(['owner_id', 'scheduled_for']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted && row
}

const activeStatuses: RunStatus[] = ['queued', 'running', 'awaiting_approval']
export const isActive = ({ status }: Pick<RunRow, 'status'>): boolean => activeStatuses.includes(status)

/** Runs of a lane that have not ended, oldest first. */
export const activeInLane = (tx: Db, workspace: string, lane: string): Promise<Pick<RunRow, 'id' | 'status'>[]> =>
  tx
    .selectFrom('automation_run')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspace)
    .where('lane', '=', lane)
    .where(
      'status',
      'in',
      [...activeStatuses].map((status) => sql.lit(status)),
    )
    .orderBy('id')
    .execute()

export async function findRun(db: Db, workspace: string, id: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('automation_run')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function lockRun(tx: Db, workspace: string, id: string): Promise<RunRow | undefined> {
  const query = tx.selectFrom('automation_run').selectAll().where('workspace_id', '=', workspace).where('id', '=', id)
  return (isPostgres(tx) ? query.forUpdate() : query).executeTakeFirst()
}

export async function updateRun(ctx: Context, tx: Db, row: RunRow, changes: Partial<RunRow>): Promise<RunRow> {
  const updated = { ...changes, revision: row.revision + 1, updated_at: timestamp(ctx.now()) }
  await tx
    .updateTable('automation_run')
    .set(updated)
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute()
  return { ...row, ...updated }
}

export async function removeRuns(tx: Db, workspace: string, owner: string): Promise<void> {
  await tx.deleteFrom('automation_run').where('workspace_id', '=', workspace).where('owner_id', '=', owner).execute()
}

/** The text that the triggers of a person received. Their conversations, which an erasure deletes, have it, too. */
export const receivedText: PersonalFunctions = {
  async erase({ db }, { workspace, userId }) {
    const triggers = db
      .selectFrom('trigger')
      .select('id')
      .where('workspace_id', '=', workspace)
      .where('actor_user', '=', userId)
    const batch = db
      .selectFrom('automation_run')
      .select('id')
      .where('workspace_id', '=', workspace)
      .where('owner_id', 'in', triggers)
      .where((is) => is.or([is('body', 'is not', null), is('input', 'is not', null)]))
      .limit(removedAtOnce)
    const erased = await db
      .updateTable('automation_run')
      .set({ body: null, input: null })
      .where('workspace_id', '=', workspace)
      .where('id', 'in', batch)
      .returning('id')
      .execute()
    return erased.length > 0
  },
}

const removedAtOnce = 500

export async function removeOldRuns({ db }: Context, before: number): Promise<number> {
  const old = await db
    .selectFrom('automation_run')
    .select('id')
    .where('finished_at', '<', timestamp(before))
    .limit(removedAtOnce)
    .execute()
  if (old.length > 0) {
    const ids = old.map(({ id }) => id)
    await db.deleteFrom('automation_run').where('id', 'in', ids).execute()
  }
  return old.length
}
