import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { lowestId } from '../../kernel/ids.ts'
import { collection } from '../../kernel/store/collection.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import { findReferrerIds } from '../../kernel/store/references.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { findUnseen } from '../../kernel/unseen.ts'
import { checkSchemas } from '../evaluations/scorers/json-schema.ts'
import { type SettledScorer, scorerKinds, settleScorers } from '../evaluations/scorers/scorers.ts'
import { deleteAllowance, spentToday } from '../usage/allowance.ts'
import { Monitor } from './schema.ts'

type Hidden = {
  /** The scorers whose mean is below the limit of the alert, as JSON. */
  alerting: string
  /** Replies up to this id have been looked at. */
  looked_until: string
  /** The token that the calls of judges are billed to. */
  created_by: string
}
export type MonitorRow = Stored<Monitor & Hidden>

declare module '../../kernel/store/database.ts' {
  interface Tables {
    monitor: Omit<MonitorRow, 'scorers' | 'alert' | 'spent_today'> & {
      workspace_id: string
      scorers: string
      alert: string
    }
  }
}

const defaultWindow = 50

const rows = collection<typeof Monitor, Hidden>({
  name: 'monitor',
  shape: Monitor,
  prefix: 'mon',
  kind: 'monitor',
  computed: ['spent_today'],
  hides: async (ctx, who) => findReferrerIds(ctx.db, who.workspace, await findUnseen(ctx, who, 'agt')),
  async complete({ ctx, tx, who, next, input, previous }) {
    delete (next as Partial<MonitorRow>).spent_today
    if (!previous)
      Object.assign(next, { alerting: '[]', looked_until: lowestId('msg', ctx.now()), created_by: who.token })
    if (next.alert) next.alert = { below: next.alert.below, window: next.alert.window ?? defaultWindow }
    if (!previous || input.scorers !== undefined) {
      next.scorers = await settleScorers(next.scorers, 'agent', { db: tx, who })
      refuseComparisons(next.scorers as SettledScorer[])
    }
    // Replies that were given while it was paused stay as they are.
    if (previous?.sample_rate === 0 && next.sample_rate > 0) next.looked_until = lowestId('msg', ctx.now())
    // A new rule can be broken again.
    if (previous && input.alert !== undefined) next.alerting = '[]'
  },
  references: ({ agent_id, scorers }) => [
    { field: 'agent_id', target: agent_id, kind: { noun: 'agent', prefixes: ['agt'] } },
    ...scorers.flatMap(({ type, config }, index) =>
      type === 'llm_judge' && typeof config?.model_id === 'string'
        ? [{ field: `scorers[${index}].config.model_id`, target: config.model_id }]
        : [],
    ),
  ],
  removed: ({ tx, row }) => deleteAllowance(tx, row.id),
})

/** Nobody has written the expected output of a reply to a person. */
function refuseComparisons(scorers: SettledScorer[]): void {
  for (const [index, { type, config }] of scorers.entries())
    if (scorerKinds[type].needsExpected?.(config))
      invalid(
        `scorers[${index}]`,
        `of type ${type} compares with an expected output, which replies to people do not have`,
      )
}

async function withSpending(ctx: Context, found: MonitorRow[]): Promise<MonitorRow[]> {
  const spent = await spentToday(
    ctx,
    found.map(({ id }) => id),
  )
  return found.map((row) => ({ ...row, spent_today: spent.get(row.id) ?? 0 }))
}

const one = async (ctx: Context, row: MonitorRow): Promise<MonitorRow> =>
  (await withSpending(ctx, [row]))[0] as MonitorRow

const scorersIn = (body: object) => (body as Partial<Monitor>).scorers

export const monitors = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  find: rows.find,
  unseen: rows.unseen,
  async list(ctx: Context, who: Caller, query: ListQuery) {
    const page = await rows.list(ctx, who, query)
    return { ...page, rows: await withSpending(ctx, page.rows) }
  },
  get: async (ctx: Context, who: Caller, id: string) => one(ctx, await rows.get(ctx, who, id)),
  async create(ctx: Context, who: Caller, body: object): Promise<MonitorRow> {
    await checkSchemas(ctx, who, scorersIn(body))
    return one(ctx, await rows.create(ctx, who, body))
  },
  async update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<MonitorRow> {
    await checkSchemas(ctx, who, scorersIn(body))
    return one(ctx, await rows.update(ctx, who, id, body, ifMatch))
  },
  remove: rows.remove,
}
