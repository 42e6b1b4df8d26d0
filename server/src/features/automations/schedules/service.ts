import { isDeepStrictEqual } from 'node:util'
import type { Grants } from '../../../kernel/agent/agent-tool.ts'
import { toolKind } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, unknownReference } from '../../../kernel/errors.ts'
import { type Change, collection } from '../../../kernel/store/collection.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { ListQuery } from '../../../kernel/store/list.ts'
import { findReferrerIds, type Reference } from '../../../kernel/store/references.ts'
import type { Stored } from '../../../kernel/store/table.ts'
import { findUnseen } from '../../../kernel/unseen.ts'
import { belongsTo, conversations } from '../../conversations/service.ts'
import { type Actor, nextActor, toActor } from '../owner.ts'
import { lastRuns, presentRuns, removeRuns } from '../runs/store.ts'
import { newGrants } from './grants.ts'
import { type Action, type actionTypes, Schedule } from './schema.ts'
import { checkCron, checkTimezone, inWords, nextAfter, normalizeAt, singleTime } from './times.ts'

type Hidden = Actor & {
  grants: string
  /** Failures in a row. */
  failures: number
}
export type ScheduleRow = Stored<Schedule & Hidden>
type Computed = Pick<ScheduleRow, 'cron_description' | 'last_run'>

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    schedule: Omit<ScheduleRow, 'action' | 'approved_tools' | keyof Computed> & {
      workspace_id: string
      action: string
      approved_tools: string
    }
  }
}

export const dueQueue = 'automations.due'
export interface DuePayload {
  schedule: string
  due: string
}

/** Creates the job of a due time. A job that is stale by then does nothing. */
export async function enqueueDue(ctx: Context, tx: Db, workspace: string, payload: DuePayload): Promise<void> {
  const delay = Math.max(0, Date.parse(payload.due) - ctx.now())
  await ctx.jobs.enqueue(tx, dueQueue, { workspace, payload, delay })
}

const rows = collection<typeof Schedule, Hidden>({
  name: 'schedule',
  shape: Schedule,
  prefix: 'sch',
  kind: 'schedule',
  computed: ['cron_description', 'last_run'],
  hides: async (ctx, who) => findReferrerIds(ctx.db, who.workspace, await findUnseen(ctx, who, 'agt', 'src', 'evl')),
  async complete(change) {
    const { ctx, tx, who, next, input, previous } = change
    if (!previous) Object.assign(next, toActor(who), { failures: 0, disabled_reason: null, grants: '{}' })
    else Object.assign(next, await nextActor(ctx, who, previous, !isDeepStrictEqual(next.action, previous.action)))
    delete (next as Partial<Computed>).last_run
    delete (next as Partial<Computed>).cron_description
    await checkAction(change)
    const grants = await newGrants(
      ctx,
      who,
      { ...next, grants: {} },
      previous && { ...previous, grants: readGrants(previous) },
      input.approved_tools !== undefined,
    )
    next.grants = JSON.stringify(grants)
    if (next.enabled && previous?.enabled === false) Object.assign(next, { failures: 0, disabled_reason: null })
    next.next_run_at = nextRunAt(ctx, next, previous)
    if (next.next_run_at !== null && next.next_run_at !== previous?.next_run_at)
      await enqueueDue(ctx, tx, who.workspace, { schedule: next.id, due: next.next_run_at })
  },
  references: (row, ctx) => [
    ...actionReferences(row.action),
    ...row.approved_tools.map((target, at) => ({ field: `approved_tools[${at}]`, target, kind: toolKind(ctx) })),
  ],
  removed: ({ tx, who, row }) => removeRuns(tx, who.workspace, row.id),
})

export const readGrants = ({ grants }: Pick<ScheduleRow, 'grants'>): Grants => JSON.parse(grants) as Grants

const fields: Record<(typeof actionTypes)[number], (keyof Action)[]> = {
  message: ['agent_id', 'message'],
  sync: ['knowledge_source_id'],
  evaluation: ['evaluation_id'],
}

async function checkAction({ ctx, who, next, previous }: Change<ScheduleRow>): Promise<void> {
  const { action } = next
  if (action.conversation_id === null) delete action.conversation_id
  const allowed = ['type', ...fields[action.type], ...(action.type === 'message' ? ['conversation_id'] : [])]
  for (const name of fields[action.type])
    if (action[name] === undefined) invalid(`action.${name}`, `is required for the type "${action.type}"`)
  for (const name of Object.keys(action))
    if (!allowed.includes(name)) invalid(`action.${name}`, `does not belong to the type "${action.type}"`)
  const { conversation_id: id } = action
  if (id === undefined || id === previous?.action.conversation_id) return
  const found = await conversations
    .get(ctx, who, id)
    .catch(() => unknownReference('action.conversation_id', 'conversation', id))
  if (!(await belongsTo(ctx.db, found, action.agent_id ?? '')))
    invalid('action.conversation_id', 'belongs to another agent than agent_id')
}

function actionReferences({ type, agent_id, knowledge_source_id, evaluation_id }: Action): Reference[] {
  if (type === 'message')
    return [{ field: 'action.agent_id', target: agent_id ?? '', kind: { noun: 'agent', prefixes: ['agt'] } }]
  if (type === 'sync')
    return [
      {
        field: 'action.knowledge_source_id',
        target: knowledge_source_id ?? '',
        kind: { noun: 'knowledge source', prefixes: ['src'] },
      },
    ]
  return [
    { field: 'action.evaluation_id', target: evaluation_id ?? '', kind: { noun: 'evaluation', prefixes: ['evl'] } },
  ]
}

/**
 * The next due time after a change. Only a change of the times, or enabling it, sets a new one; a due time that has come already
 * stays, because its run is about to start.
 */
function nextRunAt(ctx: Context, next: ScheduleRow, previous: ScheduleRow | undefined): string | null {
  const now = ctx.now()
  if ((next.cron === null) === (next.at === null)) invalid(next.cron === null ? 'cron' : 'at', 'give either cron or at')
  if (next.at !== null) next.at = normalizeAt(next.at)
  const isSame =
    previous !== undefined &&
    (['cron', 'at', 'timezone', 'enabled'] as const).every((name) => next[name] === previous[name])
  if (isSame) return previous.next_run_at
  checkTimezone(next.timezone)
  if (next.cron !== null) checkCron(next.cron, next.timezone, now)
  if (next.at !== null && next.enabled && singleTime(next.at, next.timezone) <= now) invalid('at', 'is in the past')
  if (!next.enabled) return null
  const pending = previous?.enabled ? previous.next_run_at : null
  return pending !== null && Date.parse(pending) <= now ? pending : nextAfter(next, now)
}

async function withComputed(db: Db, who: Caller, all: ScheduleRow[]): Promise<ScheduleRow[]> {
  const last = await lastRuns(
    db,
    who.workspace,
    all.map(({ id }) => id),
  )
  const runs = await presentRuns(db, who.workspace, [...last.values()])
  return all.map((row) => {
    const id = last.get(row.id)?.id
    return {
      ...row,
      cron_description: row.cron === null ? null : inWords(row.cron),
      last_run: runs.find((run) => run.id === id) ?? null,
    }
  })
}

const oneWithComputed = async (ctx: Context, who: Caller, row: ScheduleRow): Promise<ScheduleRow> =>
  (await withComputed(ctx.db, who, [row]))[0] ?? notFound(rows.kind, row.id)

export const schedules = {
  ...rows,
  get: async (ctx: Context, who: Caller, id: string) => oneWithComputed(ctx, who, await rows.get(ctx, who, id)),
  list: async (ctx: Context, who: Caller, query: ListQuery) => {
    const page = await rows.list(ctx, who, { ...query, fields: undefined })
    return { ...page, rows: await withComputed(ctx.db, who, page.rows) }
  },
  create: async (ctx: Context, who: Caller, body: object) =>
    oneWithComputed(ctx, who, await rows.create(ctx, who, body)),
  update: async (ctx: Context, who: Caller, id: string, body: object, ifMatch?: string) =>
    oneWithComputed(ctx, who, await rows.update(ctx, who, id, body, ifMatch)),
}
