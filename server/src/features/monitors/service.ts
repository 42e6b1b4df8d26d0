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
import { defaultModel, models } from '../models/service.ts'
import { deleteAllowance, spentToday } from '../usage/allowance.ts'
import { Monitor } from './schema.ts'

type Hidden = {
  /** Replies up to this id have been looked at. */
  looked_until: string
  /** The token that the calls of judges are billed to. */
  created_by: string
}
export type MonitorRow = Stored<Monitor & Hidden>

declare module '../../kernel/store/database.ts' {
  interface Tables {
    monitor: Omit<MonitorRow, 'scorers' | 'alert' | 'alerting' | 'spent_today' | 'warnings'> & {
      workspace_id: string
      scorers: string
      alert: string
      alerting: string
    }
  }
}

const defaultAlertReplies = 50

const rows = collection<typeof Monitor, Hidden>({
  name: 'monitor',
  shape: Monitor,
  prefix: 'mon',
  kind: 'monitor',
  computed: ['spent_today', 'warnings'],
  hides: async (ctx, who) => findReferrerIds(ctx.db, who.workspace, await findUnseen(ctx, who, 'agt')),
  async complete({ ctx, tx, who, next, input, previous }) {
    delete (next as Partial<MonitorRow>).spent_today
    delete (next as Partial<MonitorRow>).warnings
    if (!previous)
      Object.assign(next, { alerting: [], looked_until: lowestId('msg', ctx.now()), created_by: who.token })
    if (next.alert) next.alert = { below: next.alert.below, window: next.alert.window ?? defaultAlertReplies }
    if (!previous || input.scorers !== undefined) {
      next.scorers = await settleScorers(next.scorers, 'agent', { db: tx, who })
      refuseComparisons(next.scorers as SettledScorer[])
    }
    // Replies that were given while it was paused stay as they are.
    if (previous?.sample_rate === 0 && next.sample_rate > 0) next.looked_until = lowestId('msg', ctx.now())
    // A new rule can be broken again.
    if (previous && input.alert !== undefined) next.alerting = []
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

async function withComputed(ctx: Context, who: Caller, found: MonitorRow[]): Promise<MonitorRow[]> {
  const spent = await spentToday(
    ctx,
    found.map(({ id }) => id),
  )
  const rows: MonitorRow[] = []
  for (const row of found)
    rows.push({ ...row, spent_today: spent.get(row.id) ?? 0, warnings: await priceWarnings(ctx, who, row) })
  return rows
}

/** The daily budget always limits costs, so a judge whose model has no price is never called. */
async function priceWarnings(
  ctx: Context,
  who: Caller,
  { scorers = [] }: Partial<MonitorRow>,
): Promise<MonitorRow['warnings']> {
  const unpriced = new Map<string, string>()
  for (const { type, config } of scorers) {
    if (type !== 'llm_judge') continue
    const named = config?.model_id
    const model = await (typeof named === 'string'
      ? models.find(ctx.db, who, named)
      : defaultModel(ctx.db, who, 'chat').catch(() => undefined))
    if (model?.pricing === null) unpriced.set(model.id, model.name)
  }
  if (unpriced.size === 0) return []
  const names = [...unpriced.values()].map((name) => `"${name}"`).join(', ')
  const message = `The daily budget cannot limit judges whose model has no price, so they are not called: ${names}. Set the price of the model; if it is free, set it to 0.`
  return [{ code: 'price_unknown', message, models: [...unpriced.keys()] }]
}

const one = async (ctx: Context, who: Caller, row: MonitorRow): Promise<MonitorRow> =>
  (await withComputed(ctx, who, [row]))[0] as MonitorRow

const scorersIn = (body: object) => (body as Partial<Monitor>).scorers

export const monitors = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  find: rows.find,
  unseen: rows.unseen,
  async list(ctx: Context, who: Caller, query: ListQuery) {
    const page = await rows.list(ctx, who, query)
    return { ...page, rows: await withComputed(ctx, who, page.rows) }
  },
  get: async (ctx: Context, who: Caller, id: string) => one(ctx, who, await rows.get(ctx, who, id)),
  async create(ctx: Context, who: Caller, body: object): Promise<MonitorRow> {
    await checkSchemas(ctx, who, scorersIn(body))
    return one(ctx, who, await rows.create(ctx, who, body))
  },
  async update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<MonitorRow> {
    await checkSchemas(ctx, who, scorersIn(body))
    return one(ctx, who, await rows.update(ctx, who, id, body, ifMatch))
  },
  remove: rows.remove,
}
